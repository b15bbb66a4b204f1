// Draws every [data-chart] from the JSON that follows it, with plotly, which is fetched when a page first has a chart.
// The theme is casino.css: "--gain" in a figure is that colour of it, "--info 20%" a fifth of its strength.
// When a live page fetches a chart again, the old drawing takes its place and moves to the new figures.
(() => {
  "use strict";
  const PLOTLY = document.currentScript.dataset.plotly;
  const CONFIG = { responsive: true, displayModeBar: false, scrollZoom: false, doubleClick: false };
  const drawn = new Map();
  let loading = null;

  function plotly() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = PLOTLY;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => { loading = null; script.remove(); reject(new Error("plotly.js could not be fetched")); };
      document.head.append(script);
    });
    return loading;
  }

  // ------------------------------------------------------------------ the theme

  const style = getComputedStyle(document.documentElement);

  function colour(text) {
    const found = /^(--[a-z]+)(?: (\d+)%)?$/.exec(text);
    if (!found) return text;
    const hex = style.getPropertyValue(found[1]).trim();
    return found[2] ? hex + Math.round(found[2] * 2.55).toString(16).padStart(2, "0") : hex;
  }

  function coloured(value) {
    if (typeof value === "string") return colour(value);
    if (Array.isArray(value)) return value.map(coloured);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, coloured(one)]));
  }

  const AXIS = {
    gridcolor: "--line", linecolor: "--edge", zerolinecolor: "--edge", tickcolor: "--edge", automargin: true,
    fixedrange: true, spikecolor: "--edge", spikethickness: 1, spikedash: "solid",
  };
  const THEME = {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: "--muted", size: 12, family: style.getPropertyValue("--sans") },
    colorway: ["--brass", "--info", "--gain", "--loss", "--muted"],
    margin: { l: 12, r: 12, t: 8, b: 8 },
    hovermode: "x unified", dragmode: false, separators: ".,", uirevision: "same",
    hoverlabel: { bgcolor: "--raised", bordercolor: "--edge", font: { color: "--ink" }, namelength: -1 },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { color: "--ink" } },
    xaxis: AXIS, yaxis: { ...AXIS, tickformat: ",", hoverformat: ",.2f" },
  };

  function merged(one, other) {
    const both = { ...one };
    for (const [name, value] of Object.entries(other)) {
      const deeper = value !== null && typeof value === "object" && !Array.isArray(value) && name in both;
      both[name] = deeper ? merged(both[name], value) : value;
    }
    return both;
  }

  // ------------------------------------------------------------------ drawing

  async function draw(place) {
    const figure = JSON.parse(place.parentElement.querySelector('script[type="application/json"]').textContent);
    const layout = coloured(merged(THEME, figure.layout));
    try {
      const lib = await plotly();
      if (!place.isConnected) return;
      const before = drawn.get(place.dataset.chart);
      const node = before && before !== place ? kept(before, place) : place;
      await lib.react(node, coloured(figure.data), layout, CONFIG);
      drawn.set(node.dataset.chart, node);
    } catch (error) {
      place.textContent = `This chart can't be drawn (${error.message}); its table is below.`;
    }
  }

  function kept(before, place) {
    before.setAttribute("aria-label", place.getAttribute("aria-label"));
    place.replaceWith(before);
    return before;
  }

  function drawAll(root) {
    root.querySelectorAll("[data-chart]").forEach(draw);
  }

  document.addEventListener("htmx:afterSwap", (event) => drawAll(event.detail.target));
  drawAll(document);
})();
