// Requests to the study's server. What fails for want of a network is repeated until it succeeds:
// the server keeps an answer once, however often it is sent.

import { waitOf } from "./backoff.js";

const HEADERS = { "X-Snellen-Study": "1", "Content-Type": "application/json" };

// A request that the server refused. error: one word for scripts; message: a sentence for people.
export class Refusal extends Error {
  constructor(status, error, message) {
    super(message);
    this.status = status;
    this.error = error;
  }
}

// Says "waiting" (detail: seconds) before a request is repeated, and "recovered" afterwards.
export const connection = new EventTarget();

const nudged = (seconds) =>
  new Promise((resolve) => {
    const timer = setTimeout(done, seconds * 1000);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      connection.removeEventListener("nudge", done);
      resolve();
    }
    addEventListener("online", done);
    connection.addEventListener("nudge", done);
  });

const refusalOf = async (response) => {
  const said = await response.json().catch(() => ({}));
  return new Refusal(response.status, said.error ?? "failure", said.message ?? response.statusText);
};

const isPassing = (status) => status === 429 || status >= 500;

// The response, or null where asking again may help; retryAfter in seconds is the server's wish.
const attempt = async (path, options, read) => {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
    if (response.ok) return { value: await read(response) };
  } catch {
    return { retryAfter: 0 };
  }
  if (!isPassing(response.status)) throw await refusalOf(response);
  return { retryAfter: Number(response.headers.get("Retry-After")) || 0 };
};

const request = async (path, options = {}, read = (response) => response.json()) => {
  for (let tries = 0; ; tries += 1) {
    const found = await attempt(path, options, read);
    if ("value" in found) {
      if (tries) connection.dispatchEvent(new Event("recovered"));
      return found.value;
    }
    const seconds = waitOf(tries, found.retryAfter, Math.random());
    connection.dispatchEvent(new CustomEvent("waiting", { detail: seconds }));
    await nudged(seconds);
  }
};

const change = (method, path, body) =>
  request(path, { method, headers: HEADERS, body: body && JSON.stringify(body) });

export const wording = () => request("/api/wording");
export const enrol = (source, fresh) => change("POST", "/api/enrol", { source, fresh });
export const progress = () => request("/api/progress");
export const passStage = (stage) => change("POST", "/api/stage", { stage });
export const nextTrial = () => request("/api/trial");
export const picture = (name) =>
  request(`/api/picture/${encodeURIComponent(name)}`, {}, (response) => response.blob());
export const answer = (given) => change("POST", "/api/answer", given);
export const completion = () => request("/api/completion");
export const myData = () => request("/api/my-data");
export const deleteMyData = () => change("DELETE", "/api/my-data");
