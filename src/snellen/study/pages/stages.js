// What is shown at each stage of the study that is not a trial.

import * as api from "./api.js";
import { announce, button, element, paragraphs, pressed, show } from "./dom.js";
import { forget } from "./draft.js";
import { instructionsOf } from "./instructions.js";

const FLASHES = ["classify", "classify-box"];
const POLL_SECONDS = 20;

const minutesOf = (minutes) => `${Math.round(minutes)} minute${Math.round(minutes) === 1 ? "" : "s"}`;

const fact = (name, text) => (text ? [element("dt", {}, name), element("dd", {}, text)] : []);

const flashNotice = () =>
  element(
    "div",
    { class: "notice" },
    element("h2", {}, "Flashing pictures"),
    element(
      "p",
      {},
      "Pictures and visual noise appear and vanish quickly, about once in a few seconds. Do not " +
        "take part if you have photosensitive epilepsy or if flashing images make you unwell. " +
        "Stop at once if you feel dizzy or unwell.",
    ),
  );

const rights = (wording) =>
  element(
    "div",
    {},
    element("h2", {}, "Your choice, your data"),
    element(
      "p",
      {},
      "Taking part is voluntary. You can stop at any time and without a reason: close the page, or " +
        "use “My data” at the top, where you can also read and delete everything that is kept " +
        "about you. Your answers and their times are kept under a random code, with nothing that " +
        "names you, unless a recruiting site passed an identifier that is needed to pay you.",
    ),
    element("p", {}, `Questions or complaints: ${wording.contact}`),
  );

// Consent; nothing about a person is kept before it is given.
export const consent = async (wording) => {
  const box = element("input", { type: "checkbox", id: "agree" });
  const start = button("Take part", () => {}, { class: "main", disabled: true });
  box.addEventListener("change", () => (start.disabled = !box.checked));
  show(
    element("h1", {}, wording.title),
    paragraphs(wording.purpose),
    element(
      "dl",
      { class: "card facts" },
      fact("Time", `about ${minutesOf(wording.minutes)}`),
      fact("Pay", wording.pay || "This study is not paid."),
      fact("Contact", wording.contact),
    ),
    wording.tasks.some((task) => FLASHES.includes(task)) ? flashNotice() : null,
    element("h2", {}, "Consent"),
    paragraphs(wording.consent),
    rights(wording),
    element(
      "label",
      { class: "agree", for: "agree" },
      box,
      element("span", {}, "I have read this, and I agree to take part."),
    ),
    start,
  );
  await pressed(start, false);
};

// The instructions of the tasks that come.
export const instructions = async (tasks) => {
  const go = button("Continue to practice", () => {}, { class: "main" });
  show(
    element("h1", {}, "What you do"),
    tasks.map(instructionsOf),
    element(
      "p",
      {},
      "Sit as you usually do, with the whole picture in view, and set the brightness of the screen " +
        "so that you see dark and bright parts well. You can pause between pictures.",
    ),
    go,
  );
  await pressed(go, false);
};

const copy = async (text, field) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
};

const codeCard = (code) => {
  const field = element("input", { readonly: true, value: code, id: "code", size: code.length });
  const copyIt = button("Copy", async () => {
    const worked = await copy(code, field);
    copyIt.textContent = worked ? "Copied" : "Copy";
    announce(worked ? "The code is copied." : "Select the code and copy it.");
  });
  return element(
    "div",
    { class: "card code" },
    element("label", { for: "code" }, "Your completion code"),
    element("div", { class: "bar" }, field, copyIt),
  );
};

export const finished = async (wording) => {
  forget();
  const { code, link, participant } = await api.completion();
  show(
    element("h1", {}, "Thank you"),
    element("p", {}, "You have finished the study. Your answers are saved."),
    code ? codeCard(code) : null,
    link
      ? element("p", {}, element("a", { class: "button main", href: link, rel: "noreferrer" },
          "Back to the site that sent you"))
      : null,
    element("p", {}, "Your participant code, for deleting your answers later: ",
      element("code", {}, participant)),
    element("p", {}, `Questions: ${wording.contact}`),
  );
};

export const unqualified = (wording) => {
  forget();
  show(
    element("h1", {}, "The study ends here for you"),
    element(
      "p",
      {},
      "Thank you for your time. The short test showed that this task does not work well enough with " +
        "your setting, so there are no further pictures. This says nothing about your eyesight.",
    ),
    element("p", {}, `If you think that something went wrong, write to ${wording.contact}.`),
  );
};

// Shown while others have the last pictures: there may be one again in a moment.
export const waiting = async () => {
  show(
    element("h1", {}, "One moment"),
    element("p", {}, "The next pictures are being prepared. This page goes on by itself."),
  );
  await new Promise((resolve) => setTimeout(resolve, 5000));
};

// Waits until the study takes answers again, or the participant asks.
export const paused = async () => {
  const again = button("Try again", () => {}, { class: "main" });
  show(
    element("h1", {}, "The study is paused"),
    element(
      "p",
      {},
      "The people who run it have stopped it for now. Everything that you answered is saved. You can " +
        "leave this page open, or come back to this address later with the same browser.",
    ),
    again,
  );
  await Promise.race([
    pressed(again, false),
    new Promise((resolve) => setTimeout(resolve, POLL_SECONDS * 1000)),
  ]);
};

export const failed = async (message) => {
  const again = button("Load the page again", () => location.reload(), { class: "main" });
  show(element("h1", {}, "Something went wrong"), element("p", {}, message),
    element("p", {}, "What you have answered is saved."), again);
};
