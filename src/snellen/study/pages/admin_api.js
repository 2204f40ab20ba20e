// Requests of the owner: the token goes along, and is forgotten when the server refuses it.

import { Refusal } from "./api.js";

const KEY = "snellen-study-token";

// For as long as the tab is open.
export const token = () => sessionStorage.getItem(KEY);
export const keepToken = (value) => sessionStorage.setItem(KEY, value);
export const forgetToken = () => sessionStorage.removeItem(KEY);

// The printed link carries the token behind "#", which is never sent; it leaves the address bar.
export const takeTokenFromAddress = () => {
  if (location.hash.length < 2) return;
  keepToken(decodeURIComponent(location.hash.slice(1)));
  history.replaceState(null, "", location.pathname + location.search);
};

const ask = async (path, options = {}) => {
  const headers = { Authorization: `Bearer ${token()}`, ...options.headers };
  const response = await fetch(path, { cache: "no-store", credentials: "omit", ...options, headers });
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw new Refusal(response.status, said.error ?? "failure", said.message ?? response.statusText);
};

export const overview = async () => (await ask("/api/admin/overview")).json();

export const setRunning = async (running) => {
  const headers = { "X-Snellen-Study": "1", "Content-Type": "application/json" };
  const body = JSON.stringify({ running });
  return (await ask("/api/admin/running", { method: "POST", headers, body })).json();
};

export const answers = async () => (await ask("/api/admin/export")).blob();
