// The owner's page: how the study goes, stop and resume, the answers.

import * as api from "./admin_api.js";
import { Refusal } from "./api.js";
import { figureOf, titleOf } from "./curve.js";
import { element } from "./dom.js";

const POLL_SECONDS = 4;
const STAGES = {
  consent: "reading the consent", instructions: "reading instructions", practice: "in practice",
  qualification: "in the short test", batches: "answering", finished: "finished",
  unqualified: "not admitted", paused: "paused",
};
const part = (id) => document.getElementById(id);

let timer = null;
let running = true;

// Changes a text only where it differs, so that a selection or a screen reader is left alone.
const write = (id, text) => {
  if (part(id).textContent !== text) part(id).textContent = text;
};

// Replaces what a place shows only if the value behind it has changed.
const shown = new Map();
const refresh = (id, value, made) => {
  const key = JSON.stringify(value);
  if (shown.get(id) === key) return;
  shown.set(id, key);
  part(id).replaceChildren(...made(value));
};

const tile = ([name, figure]) =>
  element("li", {}, element("strong", {}, figure), element("span", {}, name));

const answerRows = (rows) =>
  rows.map(([task, given, expected]) =>
    element(
      "div",
      { class: "answers" },
      element("span", {}, task),
      element("progress", { max: Math.max(expected, 1), value: given, "aria-label": task }),
      element("span", {}, expected ? `${given} of ${expected}` : `${given}`),
    ),
  );

const sum = (numbers) => Object.values(numbers).reduce((total, one) => total + one, 0);
const share = (one, all) => (all ? `${Math.round((100 * one) / all)}%` : "–");

const tilesOf = ({ stages, answers, expected, exposures }) => [
  ["people enrolled", String(sum(stages))],
  ["finished", `${stages.finished ?? 0} (${share(stages.finished ?? 0, sum(stages))})`],
  ["of the answers wanted", share(sum(answers), sum(expected))],
  ["flashes within one frame", exposures
    ? `${(100 * exposures[0]).toFixed(1)}% of ${exposures[1]}` : "none measured"],
];

// A figure is drawn again only when its own answers change.
const drawCurves = (curves) => {
  part("no-curves").hidden = curves.length > 0;
  const names = curves.map(titleOf);
  refresh("curves", names, () => names.map((_, place) => element("div", { id: `curve-${place}` })));
  for (const [place, curve] of curves.entries())
    refresh(`curve-${place}`, curve, (value) => [figureOf(value)]);
};

const draw = (overview) => {
  running = overview.running;
  document.title = `${overview.name}: owner`;
  write("name", overview.name);
  write("state", running ? "The study is running." : "The study is stopped; nobody can answer.");
  write("running", running ? "Stop the study" : "Resume the study");
  refresh("tiles", tilesOf(overview), (tiles) => tiles.map(tile));
  const stages = Object.keys(STAGES).map((name) => [STAGES[name], overview.stages[name] ?? 0]);
  refresh("stages", stages, (tiles) => tiles.map(([name, count]) => tile([name, String(count)])));
  const tasks = Object.keys({ ...overview.expected, ...overview.answers });
  const rows = tasks.map((task) => [task, overview.answers[task] ?? 0, overview.expected[task] ?? 0]);
  refresh("answers", rows, answerRows);
  drawCurves(overview.curves);
  part("login").hidden = true;
  part("stale").hidden = true;
  part("overview").hidden = part("leave").hidden = false;
};

const login = (problem = "") => {
  clearTimeout(timer);
  api.forgetToken();
  shown.clear();
  for (const id of ["tiles", "stages", "answers", "curves"]) part(id).replaceChildren();
  part("overview").hidden = part("leave").hidden = true;
  part("login").hidden = false;
  part("refused").textContent = problem;
  part("token").focus();
};

const trouble = (error) => {
  if (error instanceof Refusal && (error.status === 401 || error.status === 403))
    return login("This token is not the one of this study.");
  part("stale").hidden = false;
  return write("stale", error instanceof Refusal ? error.message
    : "No connection to the study's server; the figures are the last ones received.");
};

// Asks again a few seconds after each answer; a hidden tab waits until it is seen.
const poll = async () => {
  clearTimeout(timer);
  if (!api.token()) return login();
  try {
    if (!document.hidden) draw(await api.overview());
  } catch (error) {
    trouble(error);
  }
  if (api.token()) timer = setTimeout(poll, POLL_SECONDS * 1000);
  return null;
};

const tried = (action) => async () => {
  try {
    await action();
  } catch (error) {
    trouble(error);
  }
};

const askRunning = () => {
  write("question", running ? "Stop the study?" : "Resume the study?");
  write("consequence", running
    ? "People who are answering see that it is paused, and nobody can enrol. All answers are kept."
    : "People can enrol and answer again.");
  write("yes", running ? "Stop" : "Resume");
  part("confirmation").showModal();
};

const download = async () => {
  const address = URL.createObjectURL(await api.answers());
  element("a", { href: address, download: "answers.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

part("login").addEventListener("submit", (event) => {
  event.preventDefault();
  api.keepToken(part("token").value.trim());
  part("token").value = "";
  poll();
});
part("leave").addEventListener("click", () => login());
part("running").addEventListener("click", askRunning);
part("no").addEventListener("click", () => part("confirmation").close());
part("yes").addEventListener("click", tried(async () => {
  part("confirmation").close();
  draw(await api.setRunning(!running));
}));
part("export").addEventListener("click", tried(download));
document.addEventListener("visibilitychange", () => document.hidden || poll());
api.takeTokenFromAddress();
poll();
