/* Theme, sorting, filtering and copying. Every page is complete without it. */
(function () {
  "use strict";
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function remembered() {
    try { return localStorage.getItem("league-theme"); } catch (error) { return null; }
  }

  function remember(theme) {
    try { localStorage.setItem("league-theme", theme); } catch (error) { /* private windows keep nothing */ }
  }

  if (remembered()) root.dataset.theme = remembered();

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  }

  function setUpTheme() {
    const button = document.querySelector(".theme");
    const show = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", "Show in " + (isDark() ? "light" : "dark") + " colours");
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      show();
    });
    dark.addEventListener("change", show);
    show();
  }

  function valueOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    const number = Number(text.replace(/,/g, "").replace("\u2212", "-"));
    return text !== "" && Number.isFinite(number) ? number : text === "\u2013" ? -Infinity : text.toLowerCase();
  }

  function compare(one, other) {
    if (typeof one === typeof other) return one < other ? -1 : one > other ? 1 : 0;
    return typeof one === "number" ? -1 : 1;
  }

  function sortBy(table, column, sign) {
    const body = table.tBodies[0];
    const keyed = Array.from(body.rows, (row) => [valueOf(row, column), row]);
    keyed.sort((one, other) => sign * compare(one[0], other[0]));
    body.append(...keyed.map((pair) => pair[1]));
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.tHead.rows[0].cells[column].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  }

  function setUpSorting(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const best = head.classList.contains("n") && column > 0 ? -1 : 1;
        sortBy(table, column, now === null ? best : now === "ascending" ? -1 : 1);
      });
    });
  }

  /* What a narrow screen does without: columns with `data-spare`, the lowest first, until the table fits. */
  function setUpFitting(table) {
    const box = table.parentElement;
    const spare = Array.from(table.tHead.rows[0].cells).filter((head) => head.dataset.spare);
    spare.sort((one, other) => one.dataset.spare - other.dataset.spare);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "all";
    toolsBefore(box).append(button);

    function hide(head, hidden) {
      for (const row of table.rows) row.cells[head.cellIndex].hidden = hidden;
    }

    function fit() {
      const all = button.getAttribute("aria-pressed") === "true";
      spare.forEach((head) => hide(head, false));
      let left = 0;
      while (!all && left < spare.length && box.scrollWidth > box.clientWidth) hide(spare[left++], true);
      button.textContent = all ? "All columns" : "All columns (" + left + " more)";
      button.hidden = !all && left === 0;
    }

    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
      fit();
    });
    let width = 0;
    new ResizeObserver(() => {
      if (box.clientWidth !== width) fit();
      width = box.clientWidth;
    }).observe(box);
    fit();
  }

  function toolsBefore(box) {
    const before = box.previousElementSibling;
    if (before && before.classList.contains("tools")) return before;
    const made = document.createElement("div");
    made.className = "tools";
    box.before(made);
    return made;
  }

  function setUpFilter(input) {
    const rows = Array.from(document.getElementById(input.dataset.filters).tBodies[0].rows);
    const said = document.querySelector('output[for="' + input.id + '"]');
    input.closest(".tools").hidden = false;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      said.textContent = words.length ? shown + " of " + rows.length + " shown" : "";
    });
  }

  function setUpCopying(button) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await window.league.copy(button.dataset.copy);
      button.textContent = "Copied";
      window.setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  /* Pages opened from disk may not use the clipboard interface, so a selection is the second way. */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  window.league = { copy: copy };
  document.addEventListener("DOMContentLoaded", () => {
    setUpTheme();
    document.querySelectorAll("table.sortable").forEach(setUpSorting);
    document.querySelectorAll("input[data-filters]").forEach(setUpFilter);
    document.querySelectorAll("table:has(th[data-spare])").forEach(setUpFitting);
    document.querySelectorAll("button.copy").forEach(setUpCopying);
  });
})();
