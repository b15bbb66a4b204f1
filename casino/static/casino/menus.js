// The bar's menus open and close by themselves (<details>); Escape closes them too, and so does whatever happens elsewhere.
(() => {
  "use strict";
  const opened = () => document.querySelector(".bar__nav details[open]");

  function closeUnlessIn(target) {
    const menu = opened();
    if (menu && !menu.contains(target)) menu.open = false;
  }

  addEventListener("click", (event) => closeUnlessIn(event.target));
  addEventListener("focusin", (event) => closeUnlessIn(event.target));
  addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && opened();
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
