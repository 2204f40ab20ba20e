// What a reload must not lose and the server does not have yet: an answer on its way, and what was
// done in the current trial. One entry in the browser's own store, removed with the trial.

const KEY = "snellen-study-draft";

const stored = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
};

// Whether this person has withdrawn: a flash that was running must not leave its mark afterwards.
let closed = false;

const store = (value) => {
  if (closed) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // A browser without a store: a reload repeats the trial.
  }
};

// Of this trial, or null.
export const draftOf = (trial) => (stored().trial === trial ? (stored().draft ?? null) : null);

export const keepDraft = (trial, draft) => store({ trial, draft });

// The answer that was given and perhaps not received, or null.
export const pendingAnswer = () => stored().answer ?? null;

export const keepAnswer = (answer) => store({ answer });

// Forget now, and keep nothing until the page is loaded again.
export const forgetForGood = () => {
  closed = true;
  forget();
};

export const forget = () => {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
};
