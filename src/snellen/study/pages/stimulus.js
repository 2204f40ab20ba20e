// The canvas of a flash: fixation or the box asked about, the picture, the noise.

import { canvasOf, prepared } from "./pictures.js";

const GREY = "#808080"; // the same for everyone, whatever the colours of the page

export class Stimulus {
  constructor(trial, pictures, size) {
    this.canvas = canvasOf(size);
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The picture is shown here for a moment");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.scale = this.canvas.width / trial.pictures[0].width;
    this.layers = pictures.map((picture) => prepared(picture, size));
    this.clear();
  }

  clear() {
    this.context.fillStyle = GREY;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  // A cross in the middle, dark on light so that it is seen on anything.
  drawFixation() {
    this.clear();
    const [x, y] = [this.canvas.width / 2, this.canvas.height / 2];
    const arm = Math.max(10, this.canvas.width / 32);
    for (const [color, width] of [["#fff", arm / 2], ["#000", arm / 5]]) {
      this.context.strokeStyle = color;
      this.context.lineWidth = width;
      this.context.beginPath();
      this.context.moveTo(x - arm, y);
      this.context.lineTo(x + arm, y);
      this.context.moveTo(x, y - arm);
      this.context.lineTo(x, y + arm);
      this.context.stroke();
    }
  }

  // The place asked about, on an empty canvas.
  drawBox(box) {
    this.clear();
    const [x1, y1, x2, y2] = box.map((value) => value * this.scale);
    for (const [color, width] of [["#fff", 6], ["#000", 2.5]]) {
      this.context.strokeStyle = color;
      this.context.lineWidth = (width * this.canvas.width) / this.canvas.clientWidth || width;
      this.context.strokeRect(x1, y1, x2 - x1, y2 - y1);
    }
  }

  drawPicture() {
    this.context.drawImage(this.layers[0], 0, 0);
  }

  drawMask() {
    if (this.layers[1]) this.context.drawImage(this.layers[1], 0, 0);
    else this.clear();
  }
}
