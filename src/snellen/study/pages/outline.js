// What is painted of an object: polygons, and strokes of a brush that adds or erases.
// A step is {polygon: points} or {stroke: {points, radius, erases}}; strokes paint and erase over
// all polygons, as the study draws the mask.

import { thinned } from "./geometry.js";

export const MOST_CORNERS = 500;
export const MOST_POLYGONS = 20;
export const MOST_STROKES = 500;
const MOST_POINTS = 2000;
const MOST_IN_ALL = 15_000; // of an answer that is to stay well under half a megabyte

// A stroke whose line keeps within an eighth of its radius, in at most 2,000 points.
export const strokeOf = (points, radius, erases) => {
  let tolerance = Math.max(0.25, radius / 8);
  let thin = thinned(points, tolerance);
  while (thin.length > MOST_POINTS) thin = thinned(points, (tolerance *= 2));
  return { points: thin, radius, erases };
};

// The answer that the steps make.
export const answerOf = (steps) => ({
  kind: "outline",
  polygons: steps.flatMap((step) => (step.polygon ? [step.polygon] : [])),
  strokes: steps.flatMap((step) => (step.stroke ? [step.stroke] : [])),
});

// Whether anything is painted by these steps and there is room for another one.
export const isEmpty = (steps) => !steps.some((step) => step.polygon || !step.stroke.erases);

export const isFull = (steps) => {
  const { polygons, strokes } = answerOf(steps);
  const points = steps.reduce((sum, step) => sum + (step.polygon ?? step.stroke.points).length, 0);
  return (
    polygons.length >= MOST_POLYGONS || strokes.length >= MOST_STROKES || points >= MOST_IN_ALL
  );
};

const pathOf = (context, points) => {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
};

const paintStroke = (context, { points, radius, erases }) => {
  context.globalCompositeOperation = erases ? "destination-out" : "source-over";
  context.lineWidth = 2 * radius;
  pathOf(context, points.length > 1 ? points : [points[0], points[0]]);
  context.stroke();
};

// Paints the mask of an answer in the context's own pixels of the picture.
export const paintMask = (context, { polygons, strokes }, color) => {
  context.globalCompositeOperation = "source-over";
  Object.assign(context, { fillStyle: color, strokeStyle: color, lineCap: "round" });
  context.lineJoin = "round";
  for (const points of polygons) {
    pathOf(context, points);
    context.fill("evenodd");
  }
  for (const stroke of strokes) paintStroke(context, stroke);
  context.globalCompositeOperation = "source-over";
};
