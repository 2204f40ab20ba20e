// Trials one after another: pictures are loaded, the task is done, the answer is sent, and what
// was right is said where the study says it.

import * as api from "./api.js";
import { classify } from "./classify.js";
import { button, element, pressed, show } from "./dom.js";
import { forget, keepAnswer } from "./draft.js";
import { fitted, roomOf } from "./fit.js";
import { TASKS, instructionsOf } from "./instructions.js";
import { localise } from "./localise.js";
import { picturesOf } from "./pictures.js";
import { rank } from "./rank.js";
import { segment } from "./segment.js";

// reserved: CSS pixels that the task needs above and below its picture; least, most: the longest
// side. An outline is drawn on an enlarged picture.
const RUN = {
  classify: { run: classify, reserved: 270 },
  "classify-box": { run: classify, reserved: 290 },
  localise: { run: localise, reserved: 240, most: 800 },
  segment: { run: segment, reserved: 330, least: 480, most: 800 },
  rank: { run: rank, reserved: 300, most: 340 },
};

const PARTS = {
  practice: ["Practice", "These pictures are for practice: you see what was right."],
  qualification: ["Short test", "These pictures show whether the task works for you and your screen."],
  test: ["The study", "From here on your answers count. There is no feedback."],
};

// What the buttons of many choices take beyond two rows; at most so much that half of the window
// is left for the picture.
const moreRows = ({ choices }) => {
  const columns = Math.max(1, Math.floor(Math.min(innerWidth - 32, 640) / 150));
  const rows = Math.ceil(choices.length / columns);
  return Math.min(Math.max(0, rows - 2) * 62, Math.max(0, innerHeight / 2 - 290));
};

const sizeOf = (trial) => {
  const { reserved, ...longest } = RUN[trial.task];
  const { width, height } = trial.pictures[0];
  return fitted(width, height, roomOf(innerWidth, innerHeight, reserved + moreRows(trial)), longest);
};

// Waits until the window has room for the picture.
const roomFor = async (trial) => {
  if (!sizeOf(trial).small) return;
  show(
    element("h1", {}, "This window is too small"),
    element("p", {}, "The pictures need more room. Make the window larger, or turn your device. "),
    element("p", {}, "The study goes on by itself as soon as there is enough room."),
  );
  await new Promise((resolve) => {
    const look = () => {
      if (sizeOf(trial).small) return;
      removeEventListener("resize", look);
      resolve();
    };
    addEventListener("resize", look);
  });
};

// Waits for a participant who is away: nothing is flashed to a page that nobody looks at.
const attention = async () => {
  if (!document.hidden && document.hasFocus()) return;
  const go = button("Continue", () => {}, { class: "main" });
  show(element("h1", {}, "Welcome back"), element("p", {}, "Go on when you are ready."), go);
  await pressed(go);
};

// What comes next, shown when the task or the part of the study changes, and before each batch.
const introduction = async (trial, pauses) => {
  const [part, words] = PARTS[trial.kind];
  const count = trial.of === 1 ? "1 picture" : `${trial.of} pictures`;
  const start = button("Start", () => {}, { class: "main" });
  show(
    element("p", { class: "part" }, part),
    element("h1", {}, TASKS[trial.task].title),
    element("p", {}, `${words} ${count}${trial.place > 1 ? `, from number ${trial.place}` : ""}.`),
    element("details", {}, element("summary", {}, "Instructions"), instructionsOf(trial.task)),
    start,
  );
  await pressed(start, false);
  pauses.clear();
};

const feedback = async (host, { correct, solution }) => {
  if (correct === null && !solution) return;
  const next = button("Next", () => {}, { class: "main" });
  const [kind, head] =
    correct === null ? ["", "Thank you."] : correct ? ["right", "Right."] : ["wrong", "Not quite."];
  const words = correct === false || correct === null ? solution : null;
  const said = words && correct === false && words.length < 60 && !/[.!?]$/.test(words)
    ? `The right answer is: ${words}.` : words;
  for (const one of host.querySelectorAll("button, canvas, .countdown, .keys, input"))
    one.toggleAttribute("inert", true);
  host.append(
    element(
      "div",
      { class: `feedback ${kind}`, role: "status" },
      element("p", {}, element("strong", {}, head), said ? ` ${said}` : ""),
      next,
    ),
  );
  next.scrollIntoView({ block: "nearest" });
  await pressed(next);
};

const oneTrial = async (trial) => {
  const pictures = await picturesOf(trial);
  await roomFor(trial);
  await attention();
  const place = element("p", { class: "place" }, `${trial.place} of ${trial.of}`);
  const host = element("section", { class: `trial ${trial.task}` }, place);
  show(host);
  const given = await RUN[trial.task].run(host, trial, pictures, sizeOf(trial));
  for (const picture of pictures) picture.close();
  return { host, answer: { trial: trial.trial, ...given } };
};

// Sends an answer; it is kept in the browser until the server has it. Refused ones are dropped:
// repeating them would be refused again, and the study goes on with the current trial.
export const send = async (answer) => {
  keepAnswer(answer);
  try {
    return await api.answer(answer);
  } catch (refusal) {
    if (refusal.error !== "paused") forget();
    throw refusal;
  }
};

const partOf = (trial) => `${trial.task} ${trial.kind}`;

// Runs trials until there is none now or the stage changes; onProgress hears of each answer. Says
// whether there was any.
export const runTrials = async (stage, pauses, onProgress) => {
  let trial = await api.nextTrial();
  let part = null;
  while (trial) {
    if (partOf(trial) !== part || trial.place === 1) await introduction(trial, pauses);
    else await pauses.wait();
    part = partOf(trial);
    const { host, answer } = await oneTrial(trial);
    const receipt = await send(answer);
    forget();
    onProgress(receipt.progress);
    await feedback(host, receipt.recorded);
    if (receipt.progress.stage !== stage) return true;
    trial = receipt.trial;
  }
  return part !== null;
};
