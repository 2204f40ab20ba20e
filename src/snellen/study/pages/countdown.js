// The time that is left, seen as a bar and a number.

import { element } from "./dom.js";

export class Countdown {
  constructor(seconds, onEnd) {
    this.seconds = seconds;
    this.onEnd = onEnd;
    this.bar = element("progress", { max: seconds, value: seconds, "aria-label": "Time left" });
    this.number = element("span", { role: "timer" });
    this.element = element("div", { class: "countdown" }, this.bar, this.number);
    this.restart();
  }

  // The time runs on in a page that is hidden; only its drawing waits for frames.
  restart() {
    this.stop();
    this.end = performance.now() + this.seconds * 1000;
    this.timer = setTimeout(() => {
      this.stop();
      this.onEnd();
    }, this.seconds * 1000);
    this.#draw();
  }

  stop() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }

  #draw() {
    const left = Math.max(0, (this.end - performance.now()) / 1000);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.bar.value = still ? Math.ceil(left) : left;
    const text = `${Math.ceil(left)} s`;
    if (this.number.textContent !== text) this.number.textContent = text;
    this.frame = requestAnimationFrame(() => this.#draw());
  }
}
