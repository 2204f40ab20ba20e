// A drawn example of each task.

import { drawing } from "./dom.js";

const [W, H, GAP] = [120, 90, 24];

const rect = (x, y, width, height, properties) =>
  drawing("rect", { x, y, width, height, ...properties });
const path = (d, properties) => drawing("path", { d, fill: "none", ...properties });
const text = (x, y, words, properties = {}) =>
  drawing("text", { x, y, class: "drawn-text", ...properties }, words);

const panel = (place, ...children) =>
  drawing("g", { transform: `translate(${place * (W + GAP)} 0)` }, children);
const frame = (fill) => rect(1, 1, W - 2, H - 2, { rx: 6, fill, class: "drawn-frame" });
const arrow = (place) =>
  path(`M${place * (W + GAP) - GAP + 5} ${H / 2}h12m-5-5l5 5l-5 5`, { class: "drawn-arrow" });

const car = (x, y, scale, fill = "#b3400a") =>
  drawing(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    path("M0 20q0-8 8-9l6-9q1-2 4-2h20q3 0 5 3l7 8q10 1 10 9v6H0z", { fill }),
    path("M18 10l4-6h7v6zM33 10V4h5l5 6z", { fill: "#dfe9f2" }),
    drawing("circle", { cx: 14, cy: 26, r: 6, fill: "#222" }),
    drawing("circle", { cx: 46, cy: 26, r: 6, fill: "#222" }),
  );

const tree = (x, y, scale) =>
  drawing(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    rect(-3, 0, 6, 16, { fill: "#6b4a2b" }),
    drawing("circle", { cx: 0, cy: -8, r: 14, fill: "#2f7d4f" }),
  );

const scene = (...more) => [
  frame("#cfe3f1"),
  rect(2, 58, W - 4, 30, { fill: "#a9a596" }),
  tree(98, 46, 1),
  car(16, 40, 0.95),
  ...more,
];

// Noise that is the same each time.
const noise = () => {
  const cells = [];
  for (let cell = 0, seed = 7; cell < 108; cell += 1) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const grey = 60 + ((seed >> 8) % 150);
    const [x, y] = [(cell % 12) * 9.6 + 2.4, Math.floor(cell / 12) * 9.4 + 2.6];
    cells.push(rect(x, y, 9.7, 9.5, { fill: `rgb(${grey},${grey},${grey})` }));
  }
  return [frame("#888"), ...cells];
};

const choice = (y, words, chosen) => [
  rect(10, y, W - 20, 28, { rx: 8, class: chosen ? "drawn-button chosen" : "drawn-button" }),
  text(W / 2, y + 19, words, { class: chosen ? "drawn-text chosen" : "drawn-text" }),
];
const answers = () => [...choice(12, "car", true), ...choice(50, "no car", false)];
const cross = () =>
  path(`M${W / 2 - 9} ${H / 2}h18M${W / 2} ${H / 2 - 9}v18`, { stroke: "#000", "stroke-width": 4 });
const boxed = (x, y, width, height, color) => [
  rect(x, y, width, height, { fill: "none", stroke: "#000", "stroke-width": 4.5 }),
  rect(x, y, width, height, { fill: "none", stroke: color, "stroke-width": 2.5 }),
];

const OUTLINE = "M16 59q0-8 8-9l6-8q2-3 4-3h19q3 0 5 3l7 8q10 1 9 9v6l-6 1q-6 7-12 0h-19q-6 7-12 0h-9z";

const sequence = (label, ...panels) =>
  drawing(
    "svg",
    {
      class: "example",
      viewBox: `0 0 ${panels.length * (W + GAP) - GAP} ${H}`,
      role: "img",
      "aria-label": label,
    },
    panels.map((children, place) => [place ? arrow(place) : null, panel(place, ...children)]).flat(),
  );

const EXAMPLES = {
  classify: () =>
    sequence(
      "A cross, a picture of a car for a moment, noise, and the choice: car is chosen.",
      [frame("#808080"), cross()],
      scene(),
      noise(),
      answers(),
    ),
  "classify-box": () =>
    sequence(
      "A box on an empty canvas, a picture for a moment, noise, and the choice: car is chosen.",
      [frame("#808080"), ...boxed(12, 36, 64, 36, "#fff")],
      scene(),
      noise(),
      answers(),
    ),
  localise: () =>
    sequence(
      "A picture of a car and a tree; a box is drawn around the car, then one around the tree.",
      scene(),
      scene(...boxed(13, 37, 64, 36, "#ffe14d")),
      scene(...boxed(13, 37, 64, 36, "#ffe14d"), ...boxed(82, 22, 31, 42, "#ffe14d")),
    ),
  segment: () =>
    sequence(
      "A picture with a box around a car; corners are set along the car, then it is filled.",
      scene(...boxed(11, 35, 68, 40, "#56b4e9")),
      scene(
        ...boxed(11, 35, 68, 40, "#56b4e9"),
        path("M16 65V57l9-7 7-10h22", { stroke: "#ffe14d", "stroke-width": 3 }),
      ),
      scene(
        ...boxed(11, 35, 68, 40, "#56b4e9"),
        path(OUTLINE, { fill: "#ffe14d", "fill-opacity": 0.6, stroke: "#ffe14d", "stroke-width": 2 }),
      ),
    ),
  rank: () =>
    sequence(
      "Three pictures in order: a car on the road, a car that floats, a car that is far too large.",
      scene(text(14, 20, "1")),
      [frame("#cfe3f1"), rect(2, 58, W - 4, 30, { fill: "#a9a596" }), tree(98, 46, 1),
        car(22, 8, 0.95), text(14, 20, "2")],
      [frame("#cfe3f1"), rect(2, 58, W - 4, 30, { fill: "#a9a596" }), tree(98, 46, 1),
        car(6, 18, 1.8), text(14, 20, "3")],
    ),
};

export const exampleOf = (task) => EXAMPLES[task]();
