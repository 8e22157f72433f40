/* The replay viewer: one for all games. Boards come drawn, as changes of the board before (see league/report/encoding.py). */
(function () {
  "use strict";
  const STEP_MS = 900;

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  /* Each board changes the one before: words that stay at the beginning and at the end, and those between. */
  function boardsOf(view, words) {
    let board = [];
    return view.map(([first, last, ...between]) => {
      board = [...board.slice(0, first), ...between, ...board.slice(board.length - last)];
      return board.map((word) => words[word]).join("");
    });
  }

  /* How tall the tallest board of a match is for its width. */
  function tallest(words) {
    const frames = words.map((word) => /^<svg [^>]*viewBox="\S+ \S+ (\S+) (\S+)"/.exec(word)).filter(Boolean);
    return Math.max(0, ...frames.map(([, width, height]) => height / width));
  }

  function drawLead(svg, scores) {
    const all = scores.flat();
    const low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
    const width = Math.max(scores.length - 1, 1);
    svg.setAttribute("viewBox", "0 0 " + width + " 100");
    const lines = scores[0].map((_, seat) => {
      const points = scores.map((row, frame) => frame + "," + (96 - 92 * (row[seat] - low) / span).toFixed(1));
      return '<polyline class="s' + (seat + 1) + '" points="' + points.join(" ") + '"/>';
    });
    svg.innerHTML = lines.join("") + '<line class="cursor" y1="0" y2="100"/>';
  }

  function nextOf(places, now) {
    const later = places.find((place) => place > now);
    return later === undefined ? places[0] : later;
  }

  class Viewer {
    constructor(root, data) {
      this.root = root;
      this.data = data;
      this.boards = [];
      this.view = 0;
      this.speed = 1;
      this.timer = null;
      this.items = Array.from(root.querySelectorAll(".moves li"));
      this.open = this.items.map((item) => item.querySelector("span").textContent);
      this.faults = this.items.flatMap((item, place) => (item.classList.contains("fault") ? [place] : []));
      this.last = this.items.length - 1;
      this.at = this.last;
      this.find = (name) => root.querySelector(name);
      drawLead(this.find(".lead"), data.scores);
      this.find(".board").style.setProperty("--tallest", tallest(data.words));
      this.listen();
      this.root.querySelector(".controls").hidden = false;
      document.querySelector(".keys").hidden = false;
      this.follow();
    }

    listen() {
      this.root.querySelectorAll("[data-go]").forEach((button) => {
        button.addEventListener("click", () => this.go(button.dataset.go));
      });
      this.find(".slider").addEventListener("input", (event) => { this.stop(); this.show(Number(event.target.value)); });
      this.find(".lead").addEventListener("click", (event) => {
        const box = this.find(".lead").getBoundingClientRect();
        this.stop();
        this.show(Math.round(this.last * (event.clientX - box.left) / box.width));
      });
      this.find(".speed").addEventListener("change", (event) => this.setSpeed(Number(event.target.value)));
      const view = this.find(".view");
      if (view) view.addEventListener("change", () => this.setView(Number(view.value)));
      this.find(".permalink").addEventListener("click", (event) => {
        window.league.copy(location.href.split("#")[0] + "#" + this.mark());
        event.target.textContent = "Copied";
        window.setTimeout(() => { event.target.textContent = "Copy link"; }, 1500);
      });
      this.items.forEach((item, place) => item.querySelector("a").addEventListener("click", (event) => {
        event.preventDefault();
        this.stop();
        this.show(place);
      }));
      window.addEventListener("hashchange", () => this.follow());
      document.addEventListener("keydown", (event) => this.press(event));
    }

    mark() {
      return "m" + this.at + (this.view ? "s" + (this.view - 1) : "");
    }

    /* Go where the address says: #m12 is move 12, #m12s1 the same as seat 1 saw it. */
    follow() {
      const found = /^#m(\d+)(?:s(\d+))?$/.exec(location.hash);
      if (found && location.hash !== "#" + this.mark()) {
        this.stop();
        const seen = found[2] === undefined ? this.view : Number(found[2]) + 1;
        if (seen < this.data.views.length) this.setView(seen);
        this.show(Number(found[1]));
      } else {
        this.show(found ? this.at : 0);
      }
    }

    go(where) {
      if (where === "play") return this.timer ? this.stop() : this.play();
      this.stop();
      const places = {
        first: 0, last: this.last, back: this.at - 1, on: this.at + 1,
        swing: nextOf(this.data.swings, this.at), fault: nextOf(this.faults, this.at),
      };
      if (places[where] !== undefined) this.show(places[where]);
    }

    play() {
      if (this.at === this.last) this.show(0);
      this.timer = window.setInterval(() => {
        this.show(this.at + 1);
        if (this.at === this.last) this.stop();
      }, STEP_MS / this.speed);
      this.find("[data-go='play']").textContent = "Pause";
      this.find("[data-go='play']").setAttribute("aria-label", "Pause");
      this.find(".now").setAttribute("aria-live", "off");
    }

    stop() {
      window.clearInterval(this.timer);
      this.timer = null;
      this.find("[data-go='play']").textContent = "Play";
      this.find("[data-go='play']").setAttribute("aria-label", "Play");
      this.find(".now").setAttribute("aria-live", "polite");
    }

    setSpeed(speed) {
      this.speed = speed;
      this.find(".speed").value = String(speed);
      if (this.timer) { this.stop(); this.play(); }
    }

    setView(view) {
      this.view = view;
      if (this.find(".view")) this.find(".view").value = String(view);
      const told = view ? this.data.told[view - 1] : {};
      this.items.forEach((item, place) => {
        item.querySelector("span").textContent = told[place] === undefined ? this.open[place] : told[place];
      });
      this.find(".lead").classList.toggle("hushed", view > 0);
      this.show(this.at);
    }

    board() {
      if (!this.boards[this.view]) this.boards[this.view] = boardsOf(this.data.views[this.view], this.data.words);
      return this.boards[this.view][this.at];
    }

    show(at) {
      this.items[this.at].removeAttribute("aria-current");
      this.at = Math.max(0, Math.min(this.last, at));
      const item = this.items[this.at];
      item.setAttribute("aria-current", "step");
      this.find(".board").innerHTML = this.board();
      this.find(".slider").value = this.at;
      this.find(".slider").setAttribute("aria-valuetext", "move " + this.at + ": " + item.textContent.trim());
      this.find(".where").textContent = "Move " + this.at + " of " + this.last;
      this.find(".now").textContent = item.textContent.trim();
      const cursor = this.find(".cursor");
      cursor.setAttribute("x1", this.at);
      cursor.setAttribute("x2", this.at);
      const list = this.find(".moves");
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
      try { history.replaceState(null, "", "#" + this.mark()); } catch (error) { /* some browsers refuse on file: */ }
    }

    press(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      const speeds = Array.from(this.find(".speed").options, (option) => Number(option.value));
      const place = speeds.indexOf(this.speed);
      const keys = {
        ArrowLeft: () => this.go("back"), ArrowRight: () => this.go("on"),
        Home: () => this.go("first"), End: () => this.go("last"),
        s: () => this.go("swing"), f: () => this.go("fault"),
        "+": () => this.setSpeed(speeds[Math.min(place + 1, speeds.length - 1)]),
        "-": () => this.setSpeed(speeds[Math.max(place - 1, 0)]),
        v: () => this.setView((this.view + 1) % this.data.views.length),
      };
      const onButton = /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName);
      if (event.key === " " && !onButton) this.go("play");
      else if (keys[event.key]) keys[event.key]();
      else return;
      event.preventDefault();
    }
  }

  document.addEventListener("DOMContentLoaded", async () => {
    const root = document.querySelector(".viewer");
    window.league.viewer = new Viewer(root, await unpack(document.getElementById("packed").textContent));
  });
})();
