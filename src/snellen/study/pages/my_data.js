// What is kept about a participant: read it, delete it, leave.

import * as api from "./api.js";
import { button, element, show } from "./dom.js";
import { forgetForGood } from "./draft.js";

const download = async () => {
  const text = JSON.stringify(await api.myData(), null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href: address, download: "my-study-data.json" }).click();
  URL.revokeObjectURL(address);
};

const gone = () => {
  forgetForGood();
  document.getElementById("session").hidden = true;
  show(
    element("h1", {}, "Your data are deleted"),
    element("p", {}, "Nothing that you answered is kept. You can close this page."),
  );
};

// Opens the dialog; onGone is called before the data are deleted, to stop what is running.
export const openMyData = (onGone) => {
  const problem = element("p", { role: "alert", class: "problem" });
  const tried = (action) => async () => {
    try {
      await action();
    } catch (refusal) {
      problem.textContent = refusal.message;
    }
  };
  const sure = button(
    "Yes, delete everything",
    tried(async () => {
      onGone();
      await api.deleteMyData();
      dialog.close();
      gone();
    }),
    { class: "danger" },
  );
  const confirmation = element(
    "div",
    { hidden: true },
    element("p", {}, "This cannot be undone, and there will be no completion code. Delete?"),
    sure,
  );
  const dialog = element(
    "dialog",
    { "aria-labelledby": "my-data-head" },
    element("h2", { id: "my-data-head" }, "My data"),
    element(
      "p",
      {},
      "You can stop at any time by closing the page; what you have answered until then is kept. Here " +
        "you can read what is kept about you, or withdraw: your answers are then deleted for good.",
    ),
    element(
      "div",
      { class: "bar" },
      button("Download my data", tried(download)),
      button("Withdraw and delete my data", () => {
        confirmation.hidden = false;
        sure.focus();
      }),
      button("Close", () => dialog.close()),
    ),
    confirmation,
    problem,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};
