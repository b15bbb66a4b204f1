// Hears from the server which of its readers of the log has read on and at which tables, and fetches again the fragments
// that show it: elements with data-live, whose value is a table's code or "all". data-read-by names the readers that a
// fragment is made from, where it isn't the board's. Every ten seconds they are fetched anyway, should nothing be heard.
(() => {
  "use strict";
  const PAUSE_MS = 600, REST_MS = 300, AT_LEAST_MS = 40, POLL_MS = 10000, QUIET_MS = 4000;
  const stream = document.body.dataset.stream;
  let waiting = null, fetchedAt = Date.now(), moved = new Map();

  function isStale(fragment, readers) {
    const shows = fragment.dataset.live;
    return (fragment.dataset.readBy || "board").split(" ").some((name) => readers.has(name) && (shows === "all" || readers.get(name).has(shows)));
  }

  // `readers` are the tables that moved, by who has read it; null fetches everything.
  function refresh(readers) {
    fetchedAt = Date.now();
    for (const fragment of document.querySelectorAll("[data-live]")) if (!readers || isStale(fragment, readers)) htmx.trigger(fragment, "moved");
  }

  function hear(event) {
    const { by, tables } = JSON.parse(event.data);
    moved.set(by, new Set([...(moved.get(by) || []), ...tables]));
    // At once where nothing was fetched lately, and what moves together is fetched together.
    waiting ??= setTimeout(() => {
      const readers = moved;
      waiting = null;
      moved = new Map();
      if (document.hidden) fetchedAt = 0;
      else refresh(readers);
    }, Math.max(AT_LEAST_MS, fetchedAt + PAUSE_MS - Date.now()));
  }

  // A server that is slow to answer is left in peace for a while after it did.
  document.addEventListener("htmx:afterRequest", () => { fetchedAt = Math.max(fetchedAt, Date.now() - PAUSE_MS + REST_MS); });

  function poll() {
    if (!document.hidden && Date.now() - fetchedAt >= POLL_MS) refresh(null);
  }

  // ------------------------------------------------------------------ how we stand with the server, in words

  const sign = document.querySelector("[data-connection]");
  let quiet = null, isAway = false;

  function say(words, state) {
    if (!sign || isAway) return;
    sign.textContent = words;
    sign.dataset.state = state;
  }

  function listen() {
    const source = new EventSource(stream);
    source.addEventListener("hello", () => { clearTimeout(quiet); quiet = null; say("Live", "live"); });
    source.addEventListener("moved", hear);
    source.addEventListener("away", () => say("Every 10 s", "polling"));
    // The stream ends itself now and then and the browser comes back at once: only a longer silence is said.
    source.addEventListener("error", () => { quiet ??= setTimeout(() => { quiet = null; say("Every 10 s", "polling"); }, QUIET_MS); });
    addEventListener("pagehide", () => source.close());
  }

  function lost() {
    if (!isAway) say(`No answer since ${clockText()}`, "away");
    isAway = true;
  }

  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  document.addEventListener("htmx:afterOnLoad", () => { if (isAway) { isAway = false; say("Every 10 s", "polling"); } });

  // ------------------------------------------------------------------ swapping without losing one's place

  let opened = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    // A session that ended answers with the log-in page, which is no fragment.
    if (new URL(event.detail.xhr.responseURL).pathname !== event.detail.pathInfo.requestPath.split("?")[0]) {
      event.detail.shouldSwap = false;
      location.reload();
      return;
    }
    // What was sent from inside a panel is done with it; every other open one stays open.
    const { verb, elt } = event.detail.requestConfig;
    const done = verb === "post" ? elt.closest("details") : null;
    opened = [...event.detail.target.querySelectorAll("details[open][id]")].filter((one) => one !== done).map((one) => one.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });

  // ------------------------------------------------------------------ the clock of the house

  const clock = document.querySelector("[data-clock]");
  const ahead = clock ? Number(clock.dataset.epoch) - Date.now() : 0;
  const format = clock && new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: clock.dataset.zone });
  const clockText = () => format.format(new Date(Date.now() + ahead));
  if (clock) setInterval(() => { clock.textContent = clockText(); }, 1000);

  // An address that names an event opens it.
  document.querySelector(`details${location.hash || "#none"}`)?.setAttribute("open", "");

  if (stream && document.querySelector("[data-live]")) {
    listen();
    setInterval(poll, 1000);
    document.addEventListener("visibilitychange", poll);
  } else if (sign) {
    sign.hidden = true;
  }
})();
