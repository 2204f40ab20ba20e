// The participant's own pause, between two pictures.

import { button, element, pressed, show } from "./dom.js";

const LABELS = { false: "Pause", true: "Pausing after this picture" };

export class Pauses {
  constructor(control) {
    this.control = control;
    control.addEventListener("click", () => this.#wish(!this.wished));
    this.#wish(false);
  }

  #wish(wished) {
    this.wished = wished;
    this.control.setAttribute("aria-pressed", String(wished));
    this.control.textContent = LABELS[wished];
  }

  // What waits for the participant anyway is a pause.
  clear() {
    this.#wish(false);
  }

  async wait() {
    if (!this.wished) return;
    const go = button("Continue", () => {}, { class: "main" });
    show(
      element("h1", {}, "Paused"),
      element("p", {}, "Take your time. Your answers are saved; you can even close the page and " +
        "come back later with the same browser."),
      go,
    );
    await pressed(go);
    this.clear();
  }
}
