// Classification, with and without a given location: a flash, noise, a forced choice.

import { Choices } from "./choices.js";
import { announce, element } from "./dom.js";
import { draftOf, keepDraft } from "./draft.js";
import { flash, frameTime, nextFrame, pause } from "./flash.js";
import { Stimulus } from "./stimulus.js";

const FIXATION_MS = 500;
const BOX_MS = 1000;
const MASK_MS = 300;

// Shows what comes before the flash, at least as long as the frames are measured.
const prepare = async (stimulus, trial) => {
  if (trial.box) stimulus.drawBox(trial.box);
  else stimulus.drawFixation();
  const least = pause(trial.box ? BOX_MS : FIXATION_MS);
  const frame = await frameTime();
  await least;
  return frame;
};

// The exposure and the time at which it ended, by the clock of the page.
const flashOnce = async (stimulus, trial) => {
  const frame = await prepare(stimulus, trial);
  const shown = await flash(
    () => stimulus.drawPicture(),
    () => stimulus.drawMask(),
    trial.flash_ms,
    frame,
  );
  // A picture is flashed once: after a reload its trial goes on with the choice.
  keepDraft(trial.trial, { exposure: shown.exposure, end: performance.timeOrigin + shown.end });
  setTimeout(() => stimulus.clear(), MASK_MS);
  return shown;
};

const showAsLongAsNeeded = async (stimulus) => {
  const end = await nextFrame();
  stimulus.drawPicture();
  return { exposure: { shown_ms: null, frame_ms: null, hidden: false }, end };
};

const flashedBefore = (draft) => ({
  exposure: draft.exposure,
  end: draft.end - performance.timeOrigin,
});

export const questionOf = (trial) =>
  trial.task === "classify-box" ? "What was in the box?" : "What did you see?";

export const classify = async (host, trial, pictures, size) => {
  const stimulus = new Stimulus(trial, pictures, size);
  const question = questionOf(trial);
  const choices = new Choices(question, trial.choices);
  host.append(
    element("p", { class: "question" }, question),
    element("div", { class: "screen" }, stimulus.canvas),
    choices.element,
  );
  const draft = draftOf(trial.trial);
  let shown;
  if (draft) shown = flashedBefore(draft);
  else if (trial.flash_ms) shown = await flashOnce(stimulus, trial);
  else shown = await showAsLongAsNeeded(stimulus);
  announce(question);
  const { choice, at } = await choices.pick();
  return {
    answer: { kind: "choice", choice },
    exposure: shown.exposure,
    response_ms: Math.max(0, at - shown.end),
  };
};
