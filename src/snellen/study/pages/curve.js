// Human performance against visual change, drawn as SVG.

import { drawing, element } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [420, 270, 48, 44, 12, 12];

const INSET = 14; // a dot at 0 covers no label

const across = (change) => LEFT + INSET + change * (WIDTH - LEFT - RIGHT - INSET);
const upwards = (share) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
const percent = (share) => `${Math.round(share * 100)}%`;
const fixed = (value) => value.toFixed(2);

// The radius of a dot: its area grows with the answers.
export const radiusOf = (answers) => Math.min(14, 3 + Math.sqrt(answers));

const line = (x1, y1, x2, y2, name) => drawing("line", { x1, y1, x2, y2, class: name });
const text = (x, y, words, name) => drawing("text", { x, y, class: name }, words);

const axes = () => [
  ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    line(LEFT, upwards(share), WIDTH - RIGHT, upwards(share), "grid"),
    text(LEFT - 7, upwards(share) + 4, percent(share), "tick end"),
  ]),
  ...[0, 0.25, 0.5, 0.75, 1].map((change) =>
    text(across(change), HEIGHT - BOTTOM + 18, String(change), "tick middle"),
  ),
  text(across(0.5), HEIGHT - 8, "visual change", "tick middle"),
];

const thresholdOf = ([value, low, high]) => [
  drawing("rect", {
    x: across(low), y: TOP, class: "band",
    width: Math.max(1, across(high) - across(low)), height: upwards(0) - TOP,
  }),
  line(across(value), TOP, across(value), upwards(0), "threshold"),
];

const dotsOf = (bins) => {
  const points = bins.map((bin) => `${across(bin.delta_v)},${upwards(bin.share)}`).join(" ");
  const dots = bins.map((bin) =>
    drawing(
      "circle",
      { cx: across(bin.delta_v), cy: upwards(bin.share), r: radiusOf(bin.answers), class: "dot" },
      drawing("title", {}, `${percent(bin.share)} of ${bin.answers} at ${fixed(bin.delta_v)}`),
    ),
  );
  return [drawing("polyline", { points, class: "path" }), ...dots];
};

// What the curve says in words.
export const wordsOf = ({ threshold, more_answers: more }) => {
  const found = threshold
    ? `Threshold ${fixed(threshold[0])} (${fixed(threshold[1])} to ${fixed(threshold[2])}).`
    : "No threshold can be fitted yet.";
  if (more === null) return found;
  return more > 0 ? `${found} About ${more} more answers needed.` : `${found} As narrow as wanted.`;
};

export const titleOf = ({ task, label, transformation }) =>
  [transformation, label === "any" ? "all classes" : label, task].filter(Boolean).join(", ");

export const figureOf = (curve) => {
  const bins = [...curve.bins].sort((a, b) => a.delta_v - b.delta_v);
  const answers = bins.reduce((sum, bin) => sum + bin.answers, 0);
  return element(
    "figure",
    {},
    element("figcaption", {}, element("h3", {}, titleOf(curve))),
    drawing(
      "svg",
      {
        class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
        "aria-label": `Share of right answers by visual change, ${bins.length} bins, ` +
          `${answers} answers. ${wordsOf(curve)}`,
      },
      axes(),
      curve.threshold ? thresholdOf(curve.threshold) : null,
      dotsOf(bins),
    ),
    element("p", {}, `${answers} answers. ${wordsOf(curve)}`),
  );
};
