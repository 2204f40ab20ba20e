// How long to wait before a request is repeated.

const FIRST = 0.5;
const LONGEST = 20;

// Seconds before repetition number `tries` (from 0): doubled each time, up to a quarter of chance
// on top so that the pages of a study do not all return in the same moment, and never sooner than
// the server asked for.
export const waitOf = (tries, retryAfter, chance) =>
  Math.max(retryAfter, Math.min(LONGEST, FIRST * 2 ** Math.min(tries, 10)) * (1 + chance / 4));
