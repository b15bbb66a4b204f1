// Count room and cage by keyboard: Enter goes to the next field and, from the last, sends; totals run along. A count is
// sent by htmx; what is typed before its answer is kept and goes into the next box, and only there.
(() => {
  "use strict";

  const KEPT = new Set(["Enter", "Tab", "Backspace"]);
  const ahead = [];
  let waits = false;

  const written = (cents) => `${Math.floor(cents / 100).toLocaleString("en-GB")}.${String(cents % 100).padStart(2, "0")}`;
  const pieces = (text) => (/^[0-9]{1,9}$/.test(text.trim()) ? Number(text) : 0);
  const amount = (text) => {
    const found = /^([0-9]{1,12})(?:\.([0-9]{2}))?$/.exec(text.trim().replace(/,(?=[0-9]{3})/g, ""));
    return found ? Number(found[1]) * 100 + Number(found[2] || 0) : 0;
  };

  function add_up(form) {
    let total = 0;
    for (const input of form.querySelectorAll("[data-piece]")) {
      const cents = Number(input.dataset.piece) * pieces(input.value);
      const shown = form.querySelector(`[data-sum="${input.name}"]`);
      if (shown) shown.textContent = written(cents);
      total += cents;
    }
    for (const input of form.querySelectorAll("[data-amount]")) total += amount(input.value);
    const shown = form.querySelector("[data-total]");
    if (shown) shown.textContent = written(total);
  }

  function next(form, input) {
    const steps = [...form.querySelectorAll("[data-step]")].filter((one) => !one.closest("details:not([open])"));
    const following = steps[steps.indexOf(input) + 1];
    if (following) {
      following.focus();
      if (following.select) following.select();
    } else form.requestSubmit();
  }

  function type(input, key) {
    if (KEPT.has(key) && key !== "Backspace") return next(input.form, input);
    const from = key === "Backspace" && input.selectionStart === input.selectionEnd ? 1 : 0;
    const start = Math.max(0, input.selectionStart - from);
    if (key === "Backspace" || input.value.length < input.maxLength) input.setRangeText(key === "Backspace" ? "" : key, start, input.selectionEnd, "end");
    add_up(input.form);
  }

  function say(words) {
    const said = document.createElement("p");
    said.className = "notice notice--error";
    said.setAttribute("role", "alert");
    said.textContent = words;
    document.getElementById("content").prepend(said);
  }

  // The answer is here. Only a form that asks for the same again may take what was typed ahead of it.
  function go_on() {
    waits = false;
    const field = document.querySelector("#content [autofocus]");
    if (field) field.focus();
    const takes = document.querySelector("form[data-ahead]") && !document.querySelector("#content [role=alert]");
    if (ahead.length && !takes) say("What was typed ahead of this is not used: look at what the count says first.");
    if (!takes) ahead.length = 0;
    while (ahead.length && !waits) {
      const into = document.activeElement;
      if (!into.matches("[data-ahead] [data-step]")) break;
      type(into, ahead.shift());
    }
  }

  function went_wrong() {
    waits = false;
    ahead.length = 0;
    say("There was no answer. What you typed stands: record it again, it counts once.");
  }

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("[data-count]");
    if (waits && !(event.ctrlKey || event.metaKey || event.altKey)) {
      event.preventDefault();
      if (event.key.length === 1 || KEPT.has(event.key)) ahead.push(event.key);
    } else if (form && event.key === "Enter" && event.target.matches("[data-step]")) {
      event.preventDefault();
      next(form, event.target);
    }
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-count]");
    if (!form) return;
    if (form.hasAttribute("hx-post")) waits = true;
    else if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = "yes";
  }, true);

  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-count]");
    if (form) add_up(form);
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { status } = event.detail.xhr;
    if (event.target.id !== "content" || status < 400 || status >= 500) return;
    event.detail.shouldSwap = true; // a refusal is a page too
    event.detail.isError = false;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    document.querySelectorAll("[data-count]").forEach(add_up);
    if (waits && event.target.id === "content") go_on();
  });
  for (const failed of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(failed, () => waits && went_wrong());
  document.addEventListener("htmx:responseError", (event) => waits && event.detail.xhr.status >= 500 && went_wrong());

  document.querySelectorAll("[data-count]").forEach(add_up);
})();
