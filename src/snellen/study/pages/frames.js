// Which frame ends a flash.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

// The number of frames whose duration is nearest to so many milliseconds, at least one.
export const framesFor = (ms, frame) => Math.max(1, Math.round(ms / frame));

// Whether the frame that begins so long after the first one is the one that ends the flash. By
// time, not by counting: a frame that the browser left out has passed as well.
export const isDue = (elapsed, ms, frame) => elapsed > (framesFor(ms, frame) - 0.5) * frame;
