// The odometer of a wall's display. It counts from the last true value to the next and never shows more than is there:
// up, at the pace at which the meter has been growing; down, after a hit, at once. Where motion is not wanted it jumps.
(() => {
  "use strict";
  const LEAST_MS = 1200, MOST_MS = 10000;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const meters = new Map();  // name → { shown, from, to, began, lasts, at } in cents and milliseconds

  const text = (cents) => `${Math.floor(cents / 100).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",")}.${String(cents % 100).padStart(2, "0")}`;

  function build(place, cents) {
    const amount = place.querySelector("[data-amount]"), glyphs = text(cents), digits = glyphs.replace(/\D/g, "").length;
    let left = digits;
    amount.replaceChildren(...[...glyphs].map((glyph) => {
      if (!/\d/.test(glyph)) return glyph;
      left -= 1;
      return strip(10 ** left);
    }));
    place.dataset.digits = digits;
    place.closest(".wall__levels").style.setProperty("--glyphs", Math.max(...[...document.querySelectorAll("[data-odometer]")].map((one) => one.querySelector("[data-amount]").childNodes.length)));
  }

  // A column of the odometer: 0 to 9 and 0 again, so that it rolls over without running back.
  function strip(worth) {
    const column = document.createElement("span"), roll = document.createElement("span");
    for (const digit of "01234567890") roll.append(Object.assign(document.createElement("span"), { textContent: digit }));
    column.className = "digit";
    column.dataset.worth = worth;
    column.append(roll);
    return column;
  }

  function paint(place, cents) {
    const digits = text(Math.floor(cents)).replace(/\D/g, "").length;
    if (Number(place.dataset.digits) !== digits) build(place, Math.floor(cents));
    for (const column of place.querySelectorAll(".digit")) {
      const worth = Number(column.dataset.worth), turns = cents / worth, whole = Math.floor(turns);
      // A digit moves while all below it go from nine to nought.
      const moved = Math.max(0, 1 - (1 - (turns - whole)) * worth);
      column.firstElementChild.style.transform = `translateY(${-(whole % 10 + moved) * 1.15}em)`;
    }
  }

  function take() {
    const now = performance.now();
    for (const place of document.querySelectorAll("[data-odometer]")) {
      const to = Number(place.dataset.cents), name = place.dataset.odometer, meter = meters.get(name);
      if (!meter || to <= meter.shown || still.matches) meters.set(name, { shown: to, from: to, to, began: now, lasts: 0, at: now });
      else if (to !== meter.to) meters.set(name, { ...meter, from: meter.shown, to, began: now, lasts: Math.min(MOST_MS, Math.max(LEAST_MS, now - meter.at)), at: now });
      paint(place, meters.get(name).shown);
    }
  }

  function tick(now) {
    for (const place of document.querySelectorAll("[data-odometer]")) {
      const meter = meters.get(place.dataset.odometer);
      if (!meter || meter.shown === meter.to) continue;
      const part = still.matches || now - meter.began >= meter.lasts ? 1 : Math.max(0, (now - meter.began) / meter.lasts);
      meter.shown = part === 1 ? meter.to : Math.min(meter.to, meter.from + (meter.to - meter.from) * part);
      paint(place, meter.shown);
    }
    requestAnimationFrame(tick);
  }

  document.addEventListener("htmx:afterSwap", take);
  take();
  requestAnimationFrame(tick);
})();
