// An outline while it is drawn: the tool in use, the corners of an open polygon, undo and redo.

import { distance } from "./geometry.js";
import { History } from "./ordering.js";
import { MOST_CORNERS, answerOf, isFull, paintMask, strokeOf } from "./outline.js";
import { onDrag } from "./surface.js";

const CLOSING = 14; // CSS pixels from the first corner within which a tap closes the polygon
const PAINT = "#ffe14d";

export class OutlineDrawing {
  // onChange: after each step, and each corner.
  constructor(surface, box, steps, onChange) {
    Object.assign(this, { surface, box, onChange, tool: "polygon", radius: 8 });
    this.history = new History(steps);
    this.corners = [];
    this.line = null;
    this.layer = document.createElement("canvas");
    onDrag(surface, {
      start: (point, event) => this.#press(point, event),
      move: (point) => this.#move(point),
      end: () => this.#endStroke(),
      cancel: () => this.#endStroke(),
    });
    surface.canvas.addEventListener("keydown", (event) => this.#onKey(event));
    surface.canvas.addEventListener("pointermove", (event) => this.#hover(event));
  }

  get steps() {
    return this.history.done;
  }

  use(tool) {
    this.#endStroke();
    this.close();
    this.tool = tool;
    this.#changed();
  }

  // Makes the open corners a polygon; fewer than three are dropped.
  close() {
    if (this.corners.length > 2) this.history.push({ polygon: this.corners });
    this.corners = [];
    this.#changed();
  }

  undo() {
    if (this.corners.length) this.corners.pop();
    else this.history.undo();
    this.#changed();
  }

  redo() {
    this.history.redo();
    this.#changed();
  }

  draw() {
    const { surface } = this;
    surface.draw((context) => {
      this.#drawMask(context);
      surface.box(this.box, "#56b4e9");
      if (!this.corners.length) return;
      surface.line([...this.corners, ...(this.tip ? [this.tip] : [])], { color: PAINT });
      const arm = 4 * surface.unit;
      const [x, y] = this.corners[0];
      surface.box([x - arm, y - arm, x + arm, y + arm], "#fff");
    });
    if (this.tool !== "polygon" && this.tip) this.#drawBrush();
  }

  #changed() {
    this.draw();
    this.onChange();
  }

  #drawMask(context) {
    const { canvas } = this.surface;
    const answer = answerOf(this.steps);
    if (this.line) answer.strokes.push(this.#stroke());
    this.layer.width = canvas.width;
    this.layer.height = canvas.height;
    const paint = this.layer.getContext("2d");
    paint.setTransform(context.getTransform());
    paintMask(paint, answer, PAINT);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 0.5;
    context.drawImage(this.layer, 0, 0);
    context.restore();
  }

  #drawBrush() {
    const { context, unit } = this.surface;
    for (const [color, width] of [["#000", 3], ["#fff", 1.5]]) {
      context.strokeStyle = color;
      context.lineWidth = width * unit;
      context.beginPath();
      context.arc(...this.tip, this.radius, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  #stroke() {
    return strokeOf(this.line, this.radius, this.tool === "eraser");
  }

  #press(point, event) {
    if (this.tool === "polygon") this.#corner(point, event.detail > 1);
    else if (!isFull(this.steps)) {
      this.line = [point];
      this.#move(point);
    }
  }

  #corner(point, twice) {
    if (isFull(this.steps)) return;
    const near = CLOSING * this.surface.unit;
    const closes = this.corners.length > 2 && distance(point, this.corners[0]) <= near;
    const same = this.corners.length && distance(point, this.corners.at(-1)) < this.surface.unit;
    if (closes || twice || this.corners.length >= MOST_CORNERS) return void this.close();
    if (!same) this.corners.push(point);
    this.tip = null;
    this.#changed();
  }

  #move(point) {
    if (!this.line) return;
    this.line.push(point);
    this.tip = point;
    this.draw();
  }

  #hover(event) {
    if (this.line || event.pointerType === "touch") return;
    if (!this.corners.length && this.tool === "polygon") return;
    this.tip = this.surface.pointOf(event);
    this.draw();
  }

  #endStroke() {
    if (!this.line) return;
    this.history.push({ stroke: this.#stroke() });
    this.line = null;
    this.#changed();
  }

  // Arrows move the cross; Enter sets a corner, or starts and ends painting.
  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { surface } = this;
    if (surface.moveBy(event)) {
      this.tip = surface.cursor;
      if (this.line) this.#move(surface.cursor);
      else this.draw();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      surface.pointed = true;
      this.tip = surface.cursor;
      if (this.tool === "polygon") this.#corner(surface.cursor, false);
      else if (this.line) this.#endStroke();
      else this.#press(surface.cursor, event);
      this.draw();
    } else if (event.key === "Escape") this.#escape();
  }

  #escape() {
    this.line = null;
    this.corners = [];
    this.tip = null;
    this.#changed();
  }
}
