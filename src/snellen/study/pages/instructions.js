// What each task asks for, in words and with a drawn example.

import { element } from "./dom.js";
import { exampleOf } from "./examples.js";

export const TASKS = {
  classify: {
    title: "Say what you saw",
    steps: [
      "Look at the cross. A picture appears for a moment, then noise.",
      "Choose what the picture showed: press its button, or its key.",
      "The picture is short on purpose. If you are not sure, choose what seems most likely.",
    ],
  },
  localise: {
    title: "Draw boxes around objects",
    steps: [
      "Draw a box around every object, as tight as you can: drag from one corner to the other.",
      "You have a few seconds for each box. The time starts again after every box.",
      "When you draw no box in that time, the picture ends. You need not be complete.",
    ],
  },
  "classify-box": {
    title: "Say what was in the box",
    steps: [
      "A box appears on an empty canvas. Look at it.",
      "A picture appears for a moment without the box, then noise.",
      "Choose what was in the box: press its button, or its key.",
    ],
  },
  segment: {
    title: "Outline an object",
    steps: [
      "A box shows you where the object is. Mark the object, and nothing else in the box.",
      "Use the polygon: set corners around the object and close it at the first one.",
      "Or use the brush and the eraser. Zoom in for small objects. There is no time limit.",
    ],
  },
  rank: {
    title: "Put pictures in order",
    steps: [
      "You see several pictures that were changed in different ways.",
      "Put them in order: the one that looks most like a real photograph comes first.",
      "Drag them, or use their arrow buttons. There is no right answer.",
    ],
  },
};

// The instructions of a task as a part of a page.
export const instructionsOf = (task) => {
  const { title, steps } = TASKS[task];
  return element(
    "section",
    { class: "card instructions" },
    element("h2", {}, title),
    exampleOf(task),
    element("ol", {}, steps.map((step) => element("li", {}, step))),
  );
};
