// The button of a page that is a paper.
document.querySelector("[data-print]").addEventListener("click", () => window.print());
