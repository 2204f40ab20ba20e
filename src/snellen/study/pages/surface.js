// A picture that people draw on: pointer and keyboard in its own pixels, sharp at any zoom.

import { clamped, viewOf } from "./geometry.js";
import { canvasOf, prepared } from "./pictures.js";

const STEP = 0.04; // of the picture's longer side in view, for an arrow key
const FINE = 0.005; // the same with Shift
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Surface {
  constructor(picture, size, label) {
    this.picture = picture;
    this.size = size;
    this.canvas = canvasOf(size);
    this.canvas.tabIndex = 0;
    this.canvas.className = "surface";
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", label);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.context.imageSmoothingQuality = "high";
    this.whole = prepared(picture, size);
    this.cursor = [picture.width / 2, picture.height / 2];
    this.pointed = false;
    this.zoomTo(null, 1);
  }

  zoomTo(box, zoom) {
    this.view = viewOf(box, this.picture.width, this.picture.height, zoom);
    if (box) this.cursor = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  }

  // How many pixels of the picture one CSS pixel covers.
  get unit() {
    return this.view.width / this.size.width;
  }

  // Where in the picture an event happened.
  pointOf(event) {
    const place = this.canvas.getBoundingClientRect();
    const x = this.view.x + ((event.clientX - place.left) / place.width) * this.view.width;
    const y = this.view.y + ((event.clientY - place.top) / place.height) * this.view.height;
    return clamped([x, y], this.picture.width, this.picture.height);
  }

  // Moves the cursor by an arrow key; says whether the key was one.
  moveBy(event) {
    const arrow = ARROWS[event.key];
    if (!arrow) return false;
    const step = Math.max(this.view.width, this.view.height) * (event.shiftKey ? FINE : STEP);
    const { x, y, width, height } = this.view;
    const [cx, cy] = [this.cursor[0] + arrow[0] * step, this.cursor[1] + arrow[1] * step];
    this.cursor = clamped(
      [Math.min(Math.max(cx, x), x + width), Math.min(Math.max(cy, y), y + height)],
      this.picture.width,
      this.picture.height,
    );
    this.pointed = true;
    event.preventDefault();
    return true;
  }

  // Draws the picture, then what `paint` adds in pixels of the picture.
  draw(paint) {
    const { context, canvas, view, picture } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (view.width === picture.width) context.drawImage(this.whole, 0, 0);
    else
      context.drawImage(
        picture, view.x, view.y, view.width, view.height, 0, 0, canvas.width, canvas.height,
      );
    const scale = canvas.width / view.width;
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
    paint(context);
    if (this.pointed) this.#drawCursor();
  }

  #drawCursor() {
    const [x, y] = this.cursor;
    const arm = 14 * this.unit;
    this.line([[x - arm, y], [x + arm, y]]);
    this.line([[x, y - arm], [x, y + arm]]);
  }

  // A line that is seen on anything: dark, with a light core.
  line(points, { closed = false, color = "#fff" } = {}) {
    const { context, unit } = this;
    for (const [style, width] of [["#000", 4], [color, 2]]) {
      context.strokeStyle = style;
      context.lineWidth = width * unit;
      context.beginPath();
      for (const [x, y] of points) context.lineTo(x, y);
      if (closed) context.closePath();
      context.stroke();
    }
  }

  box([x1, y1, x2, y2], color) {
    this.line([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], { closed: true, color });
  }
}

// Calls start, move and end with points of the picture while one finger, pen or button is down.
export const onDrag = (surface, { start, move, end, cancel }) => {
  let active = null;
  const { canvas } = surface;
  canvas.addEventListener("pointerdown", (event) => {
    if (active !== null || event.button > 0) return;
    active = event.pointerId;
    canvas.setPointerCapture(active);
    surface.pointed = false;
    start(surface.pointOf(event), event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== active) return;
    for (const one of event.getCoalescedEvents?.() ?? []) move(surface.pointOf(one));
    move(surface.pointOf(event));
  });
  const finish = (done) => (event) => {
    if (event.pointerId !== active) return;
    active = null;
    done(surface.pointOf(event), event);
  };
  canvas.addEventListener("pointerup", finish(end));
  canvas.addEventListener("pointercancel", finish(cancel));
};
