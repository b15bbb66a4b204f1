// The table terminal: bets and cards are collected here and sent with one press. Every press has a key that stays the
// same until it is answered, so that pressing twice, or again after a lost answer, records once. What was entered is
// kept in this browser until the house has it.
(() => {
  "use strict";
  const root = document.getElementById("terminal");
  if (!root) return;
  const OUTDATED = ["no_more_bets", "round_open", "round_voided", "round_settled", "already_collected", "table_closed",
    "bets_open", "no_such_wager", "not_settled"];
  const EMPTY = "layout_empty", QUICK_MS = 600;
  const LOST = "No answer from the house. What you entered is kept here; press again when the line is back: nothing is recorded twice.";
  const { money, shownCard } = window.typed;
  const layout = window.felt({ root, all: (what) => all(what), one: (what) => one(what), lay, label: (wager) => label(wager), refuse: (sentence) => refuse(sentence), said: () => preview(), shownCard });
  htmx.config.timeout = 15000;

  let now, step, moves = [], picks = [], seat = 1, chip = 500, typing = false, swappedAt = 0, toSay = "", shown = "", pressing = 0;
  const names = {};  // of wagers, for when the layout is no longer drawn

  const one = (what, within = now) => within.querySelector(what);
  const all = (what, within = now) => [...within.querySelectorAll(what)];

  // ------------------------------------------------------------------ kept in this browser

  const place = () => `terminal:${root.dataset.table}:`;
  const store = () => `${place()}${now.dataset.round}`;
  const HAND = `terminal-hand:${root.dataset.table}`, LEFT = `terminal-left:${root.dataset.table}`;

  function stored(key, otherwise) {
    try { return JSON.parse(localStorage.getItem(key)) ?? otherwise; } catch { return otherwise; /* unreadable: begin anew */ }
  }

  function put(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* a full or closed store loses only the copy */ }
  }

  function keep() {
    put(store(), { moves, picks, position: now.dataset.position, names });
    put(HAND, { seat, chip, zoom: layout.zoom });
  }

  /** `mine` is what this page had entered for the round, should another page of this browser have kept its own. */
  function recover(mine) {
    const kept = mine?.round === now.dataset.round ? mine : stored(store(), {}), hand = stored(HAND, {});
    Object.assign(names, kept.names);
    moves = step === "bets" ? kept.moves || [] : [];
    picks = step === "cards" && kept.position === now.dataset.position ? kept.picks || [] : [];
    if (hasSeat(hand.seat)) seat = hand.seat;
    if (one(`[data-choose-chip="${hand.chip}"]`)) chip = hand.chip;
    if (hand.zoom) layout.zoom = hand.zoom;
    if ("recalled" in now.dataset) return;
    const left = leftOf(kept);
    for (const key of Object.keys(localStorage)) if (key.startsWith(place()) && key !== store()) {
      const [, , n] = key.slice(place().length).split("/"), before = stored(key, {});
      Object.assign(names, before.names);
      const lines = draftsOf(before.moves || []).map(said);
      if (lines.length) left.push(`Round ${n} went on without an answer to what was entered here; see whether it stands there: ${lines.join("; ")}.`);
      localStorage.removeItem(key);
    }
    if (left.length) put(LEFT, [...stored(LEFT, []), ...left]);
  }

  /** What was entered for this round and is not in the record, though the round has gone on: in sentences. */
  function leftOf(kept) {
    if (now.dataset.status === "voided") return [];
    const lines = now.dataset.recorded.split("|"), lying = now.dataset.cards.split(" "), found = [];
    const bets = step === "bets" ? [] : draftsOf(kept.moves || []).filter((bet) => {
      const at = lines.indexOf(`${bet.seat} ${bet.wager} ${bet.cents}`);
      if (at >= 0) lines.splice(at, 1);
      return at < 0;
    });
    const cards = kept.position === now.dataset.position ? [] : (kept.picks || []).filter((card) => card !== "?" && !lying.includes(card));
    if (bets.length) found.push(`Not recorded, for bets were closed elsewhere: ${bets.map(said).join("; ")}.`);
    if (cards.length) found.push(`Not recorded, for cards were recorded elsewhere: ${cards.map(shownCard).join(" ")}.`);
    return found;
  }

  function showLeft() {
    const left = stored(LEFT, []), box = one("[data-left]");
    box.hidden = !left.length;
    one("ul", box).replaceChildren(...left.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  }

  // ------------------------------------------------------------------ bets: what lies on the layout but is not sent

  function draftsOf(all) {
    const lying = new Map();
    for (const move of all) for (const { seat, wager, cents } of move) {
      const key = `${seat} ${wager}`;
      if (cents === null) lying.delete(key);
      else lying.set(key, { seat, wager, cents: (lying.get(key)?.cents || 0) + cents });
    }
    return [...lying.values()].sort((a, b) => a.seat - b.seat);
  }

  const drafts = () => draftsOf(moves);
  const said = (bet) => `seat ${bet.seat}, ${label(bet.wager)} ${money(bet.cents)}`;
  const hasSeat = (who) => Boolean(one(`[data-choose-seat="${who}"]`));
  const standing = () => all("[data-standing]").map(({ dataset }) => ({ seat: +dataset.seat, wager: dataset.wager, cents: +dataset.cents }));
  const label = (wager) => {
    const spot = all(".place").find((found) => found.dataset.wager === wager), known = spot?.getAttribute("aria-label").replace(/^Seat \d+ /, "");
    if (known) names[wager] = known;
    return names[wager] || wager;
  };
  const withIt = (spot) => (spot.dataset.with || "").split(" ").filter(Boolean);

  function moveOn(spot, who, cents, besides = []) {
    const price = Number(spot.dataset.price || 0), wager = spot.dataset.wager;
    if (price && [...drafts(), ...standing(), ...besides].some((bet) => bet.seat === who && bet.wager === wager)) return `Seat ${who} has its ${label(wager)} already; one a seat.`;
    const lying = [...draftsOf([...moves, besides]), ...standing()].filter((bet) => bet.seat === who && bet.wager === wager);
    const sum = lying.reduce((total, bet) => total + bet.cents, price || cents);
    if (sum > window.typed.mostCents) return `${money(sum)} on ${label(wager)} is more than anybody can mean.`;
    return [wager, ...withIt(spot)].map((code) => ({ seat: who, wager: code, cents: price || cents }));
  }

  function lay(spot) {
    const move = moveOn(spot, Number(spot.dataset.seat || seat), chip);
    if (typeof move === "string") return refuse(move);
    if (spot.dataset.seat) seat = Number(spot.dataset.seat);
    moves.push(move);
    refuse("");
    show();
  }

  function takeBack(who, wager) {
    const spot = all(".place").find((found) => found.dataset.wager === wager);
    moves.push([wager, ...(spot ? withIt(spot) : [])].map((code) => ({ seat: who, wager: code, cents: null })));
    show();
  }

  // ------------------------------------------------------------------ painting

  function disc(who) {
    const made = document.createElement("span");
    made.className = `disc s${who}`;
    made.textContent = who;
    return made;
  }

  function ticket({ seat, wager, cents }) {
    const line = document.createElement("li"), name = document.createElement("span"), sum = document.createElement("span"), take = document.createElement("button");
    name.textContent = label(wager);
    sum.textContent = money(cents);
    sum.className = "figure";
    take.type = "button";
    take.className = "take";
    take.textContent = "×";
    take.setAttribute("aria-label", `Take back ${label(wager)} of seat ${seat}`);
    take.addEventListener("click", () => takeBack(seat, wager));
    line.append(disc(seat), name, sum, take);
    return line;
  }

  function paintChips(bets) {
    for (const old of all(".lying-chips")) old.remove();
    const at = new Map();
    for (const bet of bets) for (const spot of all(".place")) {
      if (spot.dataset.wager !== bet.wager || (spot.dataset.seat && Number(spot.dataset.seat) !== bet.seat)) continue;
      at.set(spot, [...(at.get(spot) || []), bet]);
    }
    for (const [spot, found] of at) {
      const pile = document.createElement("span");
      pile.className = `lying-chips lying-chips--${Math.min(found.length, 4)}`;
      pile.append(...found.slice(0, 4).map((bet) => disc(bet.seat)));
      if (found.length === 1 && !spot.matches(".place--edge")) pile.append(money(found[0].cents));
      if (found.length > 4) pile.append(`+${found.length - 4}`);
      spot.append(pile);
    }
  }

  function showBets() {
    const mine = drafts(), bets = [...standing(), ...mine], sum = bets.reduce((total, bet) => total + bet.cents, 0);
    one("[data-drafts]").replaceChildren(...[...mine].sort((a, b) => (b.seat === seat) - (a.seat === seat)).map(ticket));
    one("[data-no-bets]").hidden = bets.length > 0;
    one("[name=wagers]").value = mine.map((bet) => `${bet.seat} ${bet.wager} ${bet.cents}`).join("\n");
    if (bets.length) one("[name=without_wagers]").value = "";
    one("[data-go-words]").textContent = one("[name=without_wagers]").value ? "Deal without wagers" : "No more bets";
    one("[data-go-sum]").textContent = bets.length ? `${bets.length} wager${bets.length > 1 ? "s" : ""}, ${money(sum)} in all` : "nothing on the layout";
    for (const button of all("[data-choose-seat]")) {
      const who = Number(button.dataset.chooseSeat), own = bets.filter((bet) => bet.seat === who);
      button.setAttribute("aria-pressed", who === seat);
      one("[data-seat-sum]", button).textContent = own.length ? money(own.reduce((total, bet) => total + bet.cents, 0)) : "";
    }
    for (const button of all("[data-choose-chip]")) button.setAttribute("aria-pressed", Number(button.dataset.chooseChip) === chip);
    for (const box of all("[data-seat-of]")) box.classList.toggle("circles__seat--chosen", Number(box.dataset.seatOf) === seat);
    paintChips(bets);
    layout.show();
  }

  function showCards() {
    const slots = all("[data-slot]");
    slots.forEach((slot, index) => {
      slot.classList.toggle("filled", index < picks.length);
      slot.classList.toggle("next", index === picks.length);
      one("[data-slot-card]", slot).textContent = picks[index] ? shownCard(picks[index]) : slot.dataset.card ? `${shownCard(slot.dataset.card)}?` : "·";
    });
    for (const button of all("[data-pick]:not([data-used])")) {
      button.disabled = button.dataset.pick !== "?" && picks.includes(button.dataset.pick);
      button.setAttribute("aria-pressed", button.disabled);
    }
    const left = slots.length - picks.length;
    one("[name=cards]").value = picks.join("");
    one("[data-go-cards]").textContent = picks.length ? `${picks.length} of ${slots.length}${left > 0 ? `, ${left} to come` : ", then it is settled or decided"}` : `${slots.length} to come`;
  }

  function show() {
    if (step === "bets") showBets();
    if (step === "cards") showCards();
    keep();
  }

  function refuse(sentence, near = null) {
    for (const shown of all("[data-refusal]")) { shown.hidden = true; shown.textContent = ""; }
    if (!sentence) return;
    const form = (near?.isConnected && near.closest("form")) || one(".desk");
    const at = (form && one("[data-refusal]", form)) || one("[data-refusal]");
    at.textContent = sentence;
    at.hidden = false;
  }

  // ------------------------------------------------------------------ typing: what will happen is said before Enter

  const reader = window.typed.reader({
    places: () => all(".place"), seat: () => seat, chip: () => chip, picks: () => picks, hasSeat, moveOn, label,
    noWager: (word) => `“${word}” is no wager here${one(".grid-felt") ? ": cards that touch (AsKs), a rank (K, r9), a suit (h), red, af, sf …" : "."}`,
    openSlots: () => all("[data-slot]").slice(picks.length),
    isUsed: (card) => Boolean(one(`[data-pick="${card}"][data-used]`)),
    deciding: () => JSON.parse(one("#deciding").textContent),
  });

  function preview() {
    const field = one("#typed"), said = one("#preview");
    if (!field) return;
    const text = field.value.trim();
    let read = { words: [], wrong: "" };
    if (text) read = { bets: reader.bets, cards: reader.cards, decide: reader.moves }[step](text);
    const next = one("[data-next]")?.firstChild.textContent.trim();
    const idle = step === "decide" ? "Type c to check, f to fold, or how many times; several in order." : `Enter: ${next || "the next step"}.`;
    said.textContent = read.wrong || (read.words.length ? `Enter: ${read.words.join(" · ")}` : idle);
    said.classList.toggle("typed__preview--wrong", Boolean(read.wrong));
  }

  /** What an amount that went back in all says of the stake and of what was paid besides. */
  function sayPayout() {
    const cents = window.typed.cents(one("#payout-paid").value.trim()), stake = Number(one("#payout-number").selectedOptions[0]?.dataset.stake);
    one("#payout-means").textContent = cents === null ? "" : cents >= stake ? `= stake ${money(stake)} + ${money(cents - stake)} paid`
      : cents ? `= ${money(cents)} of the stake of ${money(stake)}` : `= nothing; the stake of ${money(stake)} was taken`;
  }

  function take() {
    const field = one("#typed"), text = field.value.trim();
    if (!text) return next();
    if (pressing) return;  // typed ahead of an answer: it waits in the field for the next picture
    if (step === "bets") {
      const read = reader.bets(text);
      if (read.wrong) return preview();
      moves.push(...read.moves);
      seat = read.seat;
    } else if (step === "cards") {
      const read = reader.cards(text);
      if (read.wrong) return preview();
      picks.push(...read.cards);
    } else if (step === "decide") {
      return reader.moves(text).wrong ? preview() : decide(text);
    }
    field.value = "";
    refuse("");
    show();
    preview();
  }

  /** The big button stays where it was when the step changes: the second half of a double press is not the next step.
      Whatever else is touched or typed in between makes the next press one of its own. */
  const isQuick = () => Date.now() - swappedAt < QUICK_MS;

  function next() {
    const button = one("[data-next]");
    if (button && !button.disabled) button.click();
  }

  function decide(text) {
    one("[name=moves]").value = text;
    one("#decide").requestSubmit();
  }

  // ------------------------------------------------------------------ touches

  function undo() {
    (step === "bets" ? moves : picks).pop();
    refuse("");
    show();
  }

  root.addEventListener("click", (event) => {
    const hit = event.target.closest("button");
    if (!hit || layout.slid()) return;
    // A key on a focused button comes as a click that counts none; a script's click, as `next` makes it, is not trusted.
    if (hit.matches("[data-next], [data-move], [data-digit]") && event.isTrusted && event.detail !== 1 && isQuick()) { event.preventDefault(); event.stopPropagation(); return; }
    swappedAt = 0;
    if (hit.matches(".place")) lay(hit);
    else if (hit.dataset.chooseSeat) { seat = Number(hit.dataset.chooseSeat); show(); }
    else if (hit.dataset.chooseChip) { chip = Number(hit.dataset.chooseChip); show(); }
    else if (hit.dataset.zoom) { layout.zoom = hit.dataset.zoom; show(); }
    else if ("undo" in hit.dataset) undo();
    else if ("leftRead" in hit.dataset) { localStorage.removeItem(LEFT); showLeft(); }
    else if (hit.dataset.pick) { picks.push(hit.dataset.pick); refuse(""); show(); }
    else if ("allUnseen" in hit.dataset) { picks = all("[data-slot]").map(() => "?"); show(); next(); }
    else if (hit.dataset.move) decide(hit.dataset.move);
    preview();
  }, true);

  // ------------------------------------------------------------------ keys

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = document.activeElement, field = one("#typed");
    if (event.repeat && event.key !== "Backspace" && !at.matches("input, select, textarea")) { event.preventDefault(); return; }
    if (event.key !== "Enter") swappedAt = 0;
    if (at === field && field) {
      if (event.key === "/") event.preventDefault();
      if (event.key === "Enter") { event.preventDefault(); if (!event.repeat && (field.value.trim() || !isQuick())) take(); }
      if (event.key === "Escape") field.blur();
      return;
    }
    if (at.matches("input, select, textarea, summary") || (at.matches("button, a") && at.matches(":focus-visible") && ["Enter", " "].includes(event.key))) return;
    if (event.key === "Enter") { event.preventDefault(); if (!isQuick()) next(); }
    else if (event.key === "Backspace" && field) { event.preventDefault(); undo(); }
    else if (event.key === "/" && field) { event.preventDefault(); field.focus(); }
    else if (/^\d$/.test(event.key) && one(`[data-digit="${event.key}"]`)) one(`[data-digit="${event.key}"]`).click();
    else if (step === "bets" && /^[1-9]$/.test(event.key)) one(`[data-choose-seat="${event.key}"]`)?.click();
    else if (step === "bets" && all(".chip kbd").some((kbd) => kbd.textContent === event.key)) all(".chip kbd").find((kbd) => kbd.textContent === event.key).closest("button").click();
    else if (event.key.length === 1 && event.key !== " " && field) field.focus();
  });
  root.addEventListener("input", (event) => {
    if (event.target.id === "typed") preview();
    if (event.target.closest(".otherwise")) sayPayout();
  });

  // ------------------------------------------------------------------ presses

  const open = new Map();
  /** What stood in the field when a press was made, and what was typed there since, ahead of the answer. */
  let pressedWith = "", ahead = "";
  const typed = () => one("#typed")?.value ?? "";

  function keyFor(element, content) {
    const known = open.get(element);
    if (known?.content === content) return known.key;
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    open.set(element, { content, key });
    return key;
  }

  root.addEventListener("htmx:configRequest", ({ detail }) => {
    typing = document.activeElement?.id === "typed";
    if (detail.verb !== "post") return;
    pressedWith = typed();
    detail.headers["Idempotency-Key"] = keyFor(detail.elt, JSON.stringify([...detail.formData]));
    htmx.trigger(now, "htmx:abort");
  });
  // While a press is on its way, its answer says how things stand; no look in between.
  root.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb === "post") pressing += 1;
    else if (pressing && event.detail.elt === now) event.preventDefault();
  });
  root.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "post") pressing = 0;
    // Whatever became of the press, a password is typed anew for the next.
    for (const secret of document.querySelectorAll("#terminal input[type=password], #terminal [name=code]")) if (detail.requestConfig.verb === "post") secret.value = "";
    if (detail.xhr.status >= 200 && detail.xhr.status < 500) open.delete(detail.elt);
  });
  root.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const code = detail.xhr.getResponseHeader("X-Refused"), asked = detail.requestConfig;
    if (!code) {
      if (detail.shouldSwap) shown = asked.verb === "get" ? entered() : "";
      if (detail.shouldSwap && asked.verb === "post") ahead = typed().startsWith(pressedWith) ? typed().slice(pressedWith.length) : typed();
      return;
    }
    detail.shouldSwap = detail.isError = false;
    refuse(detail.xhr.responseText, asked.elt);
    if (code === EMPTY) { one("[name=without_wagers]").value = "yes"; swappedAt = Date.now(); show(); preview(); }
    if (OUTDATED.includes(code)) { toSay = detail.xhr.responseText; htmx.ajax("GET", root.dataset.home, "#terminal"); }
  });
  root.addEventListener("htmx:afterSwap", begin);
  for (const name of ["htmx:sendError", "htmx:timeout"]) root.addEventListener(name, ({ detail }) => { pressing = 0; refuse(LOST, detail.elt); });
  root.addEventListener("htmx:responseError", ({ detail }) => refuse(`The house could not record this (${detail.xhr.status}). What you entered is kept; press again.`, detail.elt));

  // ------------------------------------------------------------------ a new picture of the table

  const picture = () => `${now.dataset.round} ${step} ${now.dataset.position}`;

  const isTicked = (field) => ["checkbox", "radio"].includes(field.type);

  /** What stands in the fields of this picture, for the next one of the same step; never a password. */
  function entered() {
    const fields = all("input[id]:not([type=password], [name=code]), select[id]").map((field) => [field.id, isTicked(field) ? field.checked : field.value]);
    return { round: now.dataset.round, step, fields, panels: all("details[open]").map((panel) => panel.id) };
  }

  function enterAgain() {
    if (!shown || shown.round !== now.dataset.round || shown.step !== step) return;
    for (const [id, value] of shown.fields) {
      const field = document.getElementById(id);
      if (field && isTicked(field)) field.checked = value;
      else if (field) field.value = value;
    }
    for (const id of shown.panels) document.getElementById(id)?.setAttribute("open", "");
  }

  function begin() {
    const before = now && picture(), mine = moves.length + picks.length && { round: now.dataset.round, moves, picks, position: now.dataset.position };
    now = document.getElementById("now");
    step = now.dataset.step;
    if (before && picture() !== before) swappedAt = Date.now();
    recover(mine);
    reader.learn();
    enterAgain();
    if (ahead && one("#typed")) one("#typed").value = ahead;
    ahead = "";
    show();
    showLeft();
    preview();
    if (typing) one("#typed")?.focus();
    if (toSay) { refuse(toSay); toSay = ""; }
  }

  begin();
})();
