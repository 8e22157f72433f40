/* Draw the charts of a page from the numbers in it, each when it first comes near the screen. */
(function () {
  "use strict";
  const ERRORS_ONLY = 1; // of Vega's log levels

  function size(spec, box) {
    return spec.width === "container" ? Object.assign({}, spec, { width: box.clientWidth, autosize: { type: "fit-x", contains: "padding" } }) : spec;
  }

  async function draw(figure) {
    const box = figure.querySelector(".picture");
    const spec = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
    const fresh = document.createElement("div");
    fresh.setAttribute("aria-hidden", "true"); // the box is named, and its numbers stand in the table
    const options = { actions: false, renderer: "svg", logLevel: ERRORS_ONLY };
    const made = await window.vegaEmbed(fresh, size(spec, box), options);
    box.replaceChildren(fresh);
    box.dataset.drawn = "yes";
    let width = box.clientWidth;
    new ResizeObserver(() => {
      if (spec.width === "container" && Math.abs(box.clientWidth - width) > 4) {
        width = box.clientWidth;
        made.view.width(width).resize().runAsync();
      }
    }).observe(box);
  }

  function start() {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        seen.unobserve(entry.target);
        draw(entry.target);
      }
    }, { rootMargin: "300px" });
    document.querySelectorAll("figure.chart").forEach((figure) => seen.observe(figure));
  }

  document.addEventListener("DOMContentLoaded", start);
})();
