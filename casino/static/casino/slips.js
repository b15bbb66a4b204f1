// Keys of the slips' pages (a digit presses what carries it in data-key) and the steppers of lists of chips, each with its total.
(() => {
  "use strict";

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const wanted = /^[0-9]$/.test(event.key) && document.querySelector(`[data-key="${event.key}"]`);
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  });

  const written = (cents) => `${Math.floor(cents / 100).toLocaleString("en-GB")}.${String(cents % 100).padStart(2, "0")}`;
  const pieces = (input) => (/^[0-9]{1,6}$/.test(input.value.trim()) ? Number(input.value) : 0);

  function add_up(asked) {
    let total = 0;
    for (const chip of asked.querySelectorAll("[data-chip]")) {
      const cents = Number(chip.dataset.chip) * pieces(chip.querySelector("input"));
      chip.querySelector("[data-sum]").textContent = written(cents);
      chip.classList.toggle("ask__chip--some", cents > 0);
      total += cents;
    }
    asked.querySelector("[data-total]").textContent = written(total);
  }

  for (const asked of document.querySelectorAll("[data-ask]")) {
    asked.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]");
      if (!step) return;
      const input = step.closest("[data-chip]").querySelector("input");
      input.value = Math.max(0, pieces(input) + Number(step.dataset.step)) || "";
      add_up(asked);
    });
    asked.addEventListener("input", () => add_up(asked));
    add_up(asked);
  }
})();
