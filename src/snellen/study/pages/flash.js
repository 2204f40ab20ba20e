// A picture for so many milliseconds, then its mask; timed by the frames of the browser.

import { isDue, median } from "./frames.js";

const MEASURED = 24;
const USUAL = 1000 / 60;

export const nextFrame = () => new Promise(requestAnimationFrame);

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The median time between frames in milliseconds. Hidden pages have no frames.
export const frameTime = async () => {
  const gaps = [];
  for (let last = await nextFrame(); gaps.length < MEASURED; ) {
    const now = await nextFrame();
    gaps.push(now - last);
    last = now;
  }
  return median(gaps) || USUAL;
};

// Notices whether the page loses the focus or is hidden until `stop`, which says so.
export const watch = (onHidden = () => {}) => {
  let lost = document.hidden || !document.hasFocus();
  const note = () => {
    lost = true;
    if (document.hidden) onHidden();
  };
  addEventListener("blur", note);
  document.addEventListener("visibilitychange", note);
  return {
    stop: () => {
      removeEventListener("blur", note);
      document.removeEventListener("visibilitychange", note);
      return lost;
    },
  };
};

// Draws the picture in one frame and the mask in the frame nearest to `ms` later. Gives the
// exposure by the timestamps of these two frames, and when the mask came. A page that is hidden
// has its mask at once, so that nobody returns to the picture.
export const flash = async (drawPicture, drawMask, ms, frame) => {
  const attention = watch(drawMask);
  const start = await nextFrame();
  drawPicture();
  let now = start;
  while (!isDue(now - start, ms, frame)) now = await nextFrame();
  drawMask();
  const hidden = attention.stop();
  return { exposure: { shown_ms: now - start, frame_ms: frame, hidden }, end: now };
};
