// Localisation: boxes drawn around objects, each within its time.

import { Countdown } from "./countdown.js";
import { announce, button, element, pressed } from "./dom.js";
import { draftOf, keepDraft } from "./draft.js";
import { nextFrame, watch } from "./flash.js";
import { boxBetween } from "./geometry.js";
import { Surface, onDrag } from "./surface.js";

const LEAST = 3; // pixels of the picture; less is a click
const MOST = 100;
const KEPT = "#ffe14d";

const QUESTION = "Draw a box around every object you see.";
const KEYS =
  "Drag from corner to corner. With the keyboard: arrows move the cross (with Shift in small " +
  "steps), Enter sets a corner, Escape drops it.";

// The boxes of one picture while they are drawn.
class BoxDrawing {
  constructor(surface, boxes, onBox) {
    Object.assign(this, { surface, boxes, onBox, corner: null, tip: null, open: true });
    onDrag(surface, {
      start: (point) => this.#begin(point),
      move: (point) => this.#stretch(point),
      end: (point) => this.#finish(point),
      cancel: () => this.drop(),
    });
    surface.canvas.addEventListener("keydown", (event) => this.#onKey(event));
    this.draw();
  }

  draw() {
    this.surface.draw(() => {
      for (const box of this.boxes) this.surface.box(box, KEPT);
      const pending = this.corner && boxBetween(this.corner, this.tip, 0);
      if (pending) this.surface.box(pending);
    });
  }

  drop() {
    this.corner = null;
    this.draw();
  }

  undo() {
    this.boxes.pop();
    this.draw();
  }

  #begin(point) {
    if (!this.open) return;
    this.corner = this.tip = point;
    this.draw();
  }

  #stretch(point) {
    if (!this.corner) return;
    this.tip = point;
    this.draw();
  }

  #finish(point) {
    if (!this.corner || !this.open) return;
    const box = boxBetween(this.corner, point, LEAST);
    this.corner = null;
    if (box && this.boxes.length < MOST) this.boxes.push(box);
    this.draw();
    if (box) this.onBox();
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || !this.open) return;
    if (this.surface.moveBy(event)) {
      if (this.corner) this.tip = this.surface.cursor;
      this.draw();
    } else if (event.key === "Escape") this.drop();
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.surface.pointed = true;
      if (this.corner) this.#finish(this.surface.cursor);
      else this.#begin(this.surface.cursor);
    }
  }
}

const countOf = (boxes) => (boxes.length === 1 ? "1 box" : `${boxes.length} boxes`);

export const localise = async (host, trial, pictures, size) => {
  const seconds = trial.box_seconds ?? 4;
  const begin = button("Show the picture", () => {}, { class: "main" });
  const hint = element("p", { class: "hint" }, `You have ${seconds} seconds for each box.`);
  host.append(element("p", { class: "question" }, QUESTION), hint, begin);
  await pressed(begin);
  begin.remove();
  hint.remove();

  const surface = new Surface(pictures[0], size, `${QUESTION} ${KEYS}`);
  const boxes = draftOf(trial.trial)?.boxes ?? [];
  const attention = watch();
  const start = await nextFrame();
  const end = await new Promise((resolve) => {
    const drawing = new BoxDrawing(surface, boxes, () => note(`${countOf(boxes)} drawn.`, true));
    const countdown = new Countdown(seconds, () => {
      drawing.open = false;
      resolve(nextFrame());
    });
    const undo = button("Undo the last box", () => {
      drawing.undo();
      note(`${countOf(boxes)} left.`, false);
    });
    const onKey = (event) => {
      if (!host.isConnected) return removeEventListener("keydown", onKey);
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") undo.click();
    };
    const count = element("span", { class: "count" }, countOf(boxes));
    const note = (text, restarts) => {
      keepDraft(trial.trial, { boxes });
      undo.disabled = !boxes.length;
      count.textContent = countOf(boxes);
      if (restarts) countdown.restart();
      announce(restarts ? `${text} ${seconds} seconds for the next.` : text);
    };
    addEventListener("keydown", onKey);
    undo.disabled = !boxes.length;
    host.append(
      element("div", { class: "bar" }, countdown.element, count, undo),
      element("div", { class: "screen" }, surface.canvas),
      element("p", { class: "hint keys" }, KEYS),
    );
    surface.canvas.focus({ preventScroll: true });
  });
  for (const one of host.querySelectorAll(".bar, .screen, .keys")) one.remove();
  announce("Time is up.");
  const hidden = attention.stop();
  return {
    answer: { kind: "boxes", boxes },
    exposure: { shown_ms: end - start, frame_ms: null, hidden },
    response_ms: end - start,
  };
};
