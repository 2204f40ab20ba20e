"use strict";
// Words of marks are moved where they would cover one another: above their box or below it, next
// to it, then further away. The most important mark is last; its word has the first choice.
const placedWords = new ResizeObserver((entries) => {
  const shared = (a, b) =>
    Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
  const candidates = (word, box, frame) => {
    const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
    const rows = [0, 1, 2, 3].flatMap((row) => [
      box.top - (row + 1) * word.height,
      box.bottom + row * word.height,
    ]);
    const columns = [word.x, box.left, box.right - word.width, box.left - word.width, box.right];
    return [word.y, ...rows].flatMap((y) =>
      columns.map((x) => ({
        x: clamp(x, frame.left, frame.right - word.width),
        y: clamp(y, frame.top, frame.bottom - word.height),
        width: word.width,
        height: word.height,
      })),
    );
  };
  for (const { target: shot } of entries) {
    const frame = shot.getBoundingClientRect();
    const taken = [...shot.querySelectorAll(".side")].map((one) => one.getBoundingClientRect());
    for (const word of [...shot.querySelectorAll(".word")].reverse()) {
      word.style.translate = "";
      const own = word.getBoundingClientRect();
      const box = word.parentElement.getBoundingClientRect();
      if (!own.width || !shared(box, frame)) continue;
      const covered = (place) => taken.reduce((sum, one) => sum + shared(place, one), 0);
      const best = candidates(own, box, frame).reduce((first, next) =>
        covered(next) < covered(first) - 0.5 ? next : first,
      );
      word.style.translate = `${best.x - own.x}px ${best.y - own.y}px`;
      taken.push(best);
    }
  }
});
for (const shot of document.querySelectorAll(".shot")) placedWords.observe(shot);
