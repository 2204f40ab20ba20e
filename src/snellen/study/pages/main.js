// The participant's page: asks the server for the stage and shows it, until the study ends.

import * as api from "./api.js";
import { connection } from "./api.js";
import { button, element } from "./dom.js";
import { forget, pendingAnswer } from "./draft.js";
import { openMyData } from "./my_data.js";
import { Pauses } from "./pauses.js";
import * as stages from "./stages.js";
import { runTrials, send } from "./trials.js";

const TRIALS = ["practice", "qualification", "batches"];
const part = (id) => document.getElementById(id);

const pauses = new Pauses(part("pause"));
let left = false; // the participant has withdrawn

const showProgress = ({ stage, share }) => {
  part("session").hidden = false;
  part("pause").hidden = !TRIALS.includes(stage);
  part("session-share").value = share;
  part("session-label").textContent = `${Math.round(share * 100)}% done`;
};

// The parameters that a recruiting site put into the address, as many as the server takes.
const sourceOf = () => {
  const given = [...new URLSearchParams(location.search)];
  const usable = given.filter(([key, text]) => key && key !== "fresh" && key.length <= 64 && text.length <= 200);
  return Object.fromEntries(usable.slice(0, 16));
};

// On a shared computer, `/?fresh` starts another person.
const isFresh = () => new URLSearchParams(location.search).has("fresh");

// The progress, or null for a browser that has no session.
const progress = async () => {
  try {
    return await api.progress();
  } catch (refusal) {
    if (refusal.error === "no-session") return null;
    throw refusal;
  }
};

const enrolled = async (wording, enrol) => {
  await stages.consent(wording);
  await enrol();
  await api.passStage("consent");
};

const enrolAnother = async () => {
  forget();
  await api.enrol(sourceOf(), isFresh());
  history.replaceState(null, "", location.pathname);
};

const STAGES = {
  consent: (wording) => enrolled(wording, () => {}),
  instructions: async (wording, { task }) => {
    await stages.instructions(task ? [task] : wording.tasks);
    await api.passStage("instructions");
  },
  paused: () => stages.paused(),
  finished: (wording) => stages.finished(wording),
  unqualified: (wording) => stages.unqualified(wording),
};

// Sends what was answered before the page was loaded again.
const resend = async () => {
  const answer = pendingAnswer();
  if (!answer) return;
  await send(answer);
  forget();
};

// Shows the current stage; says whether the study goes on.
const step = async (wording) => {
  const now = await progress();
  if (!now || isFresh()) {
    part("session").hidden = true;
    await enrolled(wording, enrolAnother);
    return true;
  }
  showProgress(now);
  if (TRIALS.includes(now.stage)) {
    await resend();
    if (!(await runTrials(now.stage, pauses, showProgress))) await stages.waiting();
  } else await STAGES[now.stage](wording, now);
  return now.stage !== "finished" && now.stage !== "unqualified";
};

// What to do about a refusal; says whether the study goes on.
const recover = async (refusal) => {
  if (left) return false;
  if (refusal.error === "paused") await stages.paused();
  else if (refusal.error !== "out-of-order" && refusal.error !== "no-session") {
    await stages.failed(refusal.message);
    return false;
  }
  return true;
};

const run = async () => {
  const wording = await api.wording();
  document.title = wording.title;
  part("study-title").textContent = wording.title;
  for (let goesOn = true; goesOn && !left; ) {
    try {
      goesOn = await step(wording);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      goesOn = await recover(error);
    }
  }
};

connection.addEventListener("waiting", ({ detail }) => {
  part("trouble").replaceChildren(
    element("p", {}, `No connection to the study. Nothing is lost; trying again in ${Math.ceil(detail)} s.`),
    button("Try now", () => connection.dispatchEvent(new Event("nudge"))),
  );
  part("trouble").hidden = false;
});
connection.addEventListener("recovered", () => (part("trouble").hidden = true));
part("my-data").addEventListener("click", () => openMyData(() => (left = true)));

run().catch((error) => stages.failed(String(error.message ?? error)));
