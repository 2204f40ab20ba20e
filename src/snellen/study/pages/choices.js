// The answers offered: buttons, each with a key.

import { button, element } from "./dom.js";

const KEYS = "1234567890abcdefghijklmnopqrstuvwxyz";

const isTyped = (event) => event.ctrlKey || event.metaKey || event.altKey || event.repeat;

export class Choices {
  constructor(question, choices) {
    this.choices = choices;
    this.buttons = choices.map((choice, place) =>
      button(element("span", {}, choice), () => {}, {
        class: "choice",
        disabled: true,
        "aria-keyshortcuts": KEYS[place],
      }),
    );
    for (const [place, one] of this.buttons.entries())
      if (KEYS[place]) one.append(element("kbd", { "aria-hidden": "true" }, KEYS[place]));
    this.element = element(
      "div",
      { class: "choices", role: "group", "aria-label": question },
      this.buttons,
    );
  }

  // Resolves with the choice and the time of the event that made it.
  pick() {
    return new Promise((resolve) => {
      const take = (place, event) => {
        removeEventListener("keydown", onKey);
        for (const one of this.buttons) one.disabled = true;
        this.buttons[place].setAttribute("aria-pressed", "true");
        resolve({ choice: this.choices[place], at: event.timeStamp });
      };
      const onKey = (event) => {
        const place = KEYS.indexOf(event.key.toLowerCase());
        if (isTyped(event) || event.key.length > 1 || place < 0 || place >= this.choices.length)
          return;
        if (!document.querySelector("dialog[open]")) take(place, event);
      };
      addEventListener("keydown", onKey);
      for (const [place, one] of this.buttons.entries()) {
        one.disabled = false;
        one.onclick = (event) => take(place, event);
      }
    });
  }
}
