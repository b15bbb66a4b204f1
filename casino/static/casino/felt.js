// A drawn layout under a finger: sliding over cells that touch lays what joins them, so that a split or a corner has
// both its cells for a target; and halves of the layout, larger, for a narrow screen.
(() => {
  "use strict";
  const SLIDE_PX = 18;
  const CELLS = ".grid-felt .place--card, .grid-felt .place--strip";

  /** `table` says what the page shows and lays a wager; the answer keeps which part of the layout is shown. */
  window.felt = (table) => {
    let from = null, path = [], hasSlid = false;

    const parts = (place) => (place.dataset.wager.split(":")[1] || "").split("+");
    const cellAt = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY).find((found) => found.matches(CELLS));
    const isSlide = (event) => from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIDE_PX;

    /** The smallest place that joins all these cells: of two at a corner the corner, of a joker and two aces the street. */
    function joining(cells) {
      const wanted = cells.flatMap(parts);
      return table.all(".grid-felt .place").filter((place) => wanted.every((part) => parts(place).includes(part)))
        .sort((a, b) => parts(a).length - parts(b).length)[0];
    }

    function paint(aim) {
      for (const place of table.all(".grid-felt .place")) {
        place.classList.toggle("place--slid", path.includes(place));
        place.classList.toggle("place--aim", place === aim);
      }
    }

    table.root.addEventListener("pointerdown", (event) => {
      const cell = cellAt(event);  // none between two cells
      hasSlid = false;
      from = event.target.closest(".grid-felt") ? { x: event.clientX, y: event.clientY, target: event.target.closest(".place") } : null;
      path = from && cell ? [cell] : [];
    });
    table.root.addEventListener("pointermove", (event) => {
      const cell = isSlide(event) && cellAt(event);
      if (!cell) return;
      if (!path.includes(cell)) path.push(cell);
      const aim = path.length > 1 ? joining(path) : null;
      paint(aim);
      if (aim) table.one("#preview").textContent = `Let go: ${table.label(aim.dataset.wager)}`;
    });
    table.root.addEventListener("pointerup", (event) => {
      const cell = isSlide(event) && cellAt(event), cells = cell && !path.includes(cell) ? [...path, cell] : path;
      const same = document.elementFromPoint(event.clientX, event.clientY)?.closest(".place") === from?.target;
      path = [];
      paint(null);
      if (!cell || same || cells.length < 2) { from = null; return; }
      from = null;
      hasSlid = true;
      setTimeout(() => { hasSlid = false; }, 80);
      const place = joining(cells) || joining([cells[0], cell]);
      if (place) table.lay(place);
      else table.refuse(`${name(cells[0])} and ${name(cell)} do not touch on the layout.`);
      table.said();
    });
    table.root.addEventListener("pointercancel", () => { from = null; path = []; paint(null); });

    const name = (cell) => cell.dataset.card ? table.shownCard(cell.dataset.card) : table.label(cell.dataset.wager);

    /** Whether a click that comes now belongs to a finger that has just slid, and lays nothing of its own. */
    const slid = () => hasSlid;

    const felt = { zoom: window.matchMedia("(max-width: 900px)").matches ? "left" : "all", show, slid };

    function show() {
      const frame = table.one(".grid-frame");
      if (!frame) return;
      frame.classList.toggle("grid-frame--half", felt.zoom !== "all");
      frame.scrollLeft = felt.zoom === "right" ? frame.scrollWidth : 0;
      for (const button of table.all("[data-zoom]")) button.setAttribute("aria-pressed", button.dataset.zoom === felt.zoom);
    }

    return felt;
  };
})();
