// A trial's pictures: fetched and decoded before they are needed, and drawn sharply.

import * as api from "./api.js";

// The decoded pictures of a trial, in its order.
export const picturesOf = (trial) =>
  Promise.all(trial.pictures.map(async ({ name }) => createImageBitmap(await api.picture(name))));

const ratio = () => Math.min(window.devicePixelRatio || 1, 3);

// A canvas of so many CSS pixels with as many pixels as the screen has there.
export const canvasOf = ({ width, height }) => {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio());
  canvas.height = Math.round(height * ratio());
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return canvas;
};

// The picture at the size at which it is shown, ready to be drawn within one frame.
export const prepared = (picture, size) => {
  const canvas = canvasOf(size);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
};
