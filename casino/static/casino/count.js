// Count room and cage by keyboard: Enter goes to the next field and, from the last, sends; totals run along.
(() => {
  "use strict";

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

  for (const form of document.querySelectorAll("[data-count]")) {
    let sent = false;
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("[data-step]")) return;
      event.preventDefault();
      next(form, event.target);
    });
    form.addEventListener("input", () => add_up(form));
    form.addEventListener("submit", (event) => {
      if (sent) event.preventDefault();
      sent = true;
    });
    add_up(form);
  }
})();
