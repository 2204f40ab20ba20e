// The frame that ends a flash is the one nearest to the time wanted, whatever the display.
import assert from "node:assert/strict";
import { test } from "node:test";

const { framesFor, isDue, median } = await import(`${process.env.PAGES}/frames.js`);

// The exposure of a flash on a display whose frames begin at these times.
const exposure = (times, ms, frame) => times.find((time) => isDue(time - times[0], ms, frame)) - times[0];
const display = (hz, jitter = () => 0) =>
  Array.from({ length: 2 * hz }, (_, place) => 1000 + (place * 1000) / hz + jitter(place));

for (const hz of [24, 30, 50, 59.94, 60, 72, 75, 90, 100, 120, 144, 165, 240, 360])
  test(`at ${hz} Hz no other number of frames is nearer to 200 ms`, () => {
    const frame = 1000 / hz;
    const shown = exposure(display(hz), 200, frame);
    const best = Math.min(...Array.from({ length: 100 }, (_, n) => Math.abs((n + 1) * frame - 200)));
    assert.ok(Math.abs(Math.abs(shown - 200) - best) < 1e-9);
    assert.ok(Math.abs(shown - framesFor(200, frame) * frame) < 1e-9);
  });

test("times that tremble by a fifth of a frame do not add or drop one", () => {
  for (let seed = 1; seed < 200; seed += 1) {
    const tremble = (place) => (((seed * 7919 + place * 104729) % 1000) / 1000 - 0.5) * (1000 / 60) * 0.4;
    const shown = exposure(display(60, tremble), 200, 1000 / 60);
    assert.ok(Math.abs(shown - 200) < 1000 / 60);
  }
});

test("frames that the browser leaves out do not lengthen the flash", () => {
  const times = display(60).filter((_, place) => place < 3 || place > 9);
  assert.ok(Math.abs(exposure(times, 200, 1000 / 60) - 200) < 1);
});

test("a flash shorter than a frame takes one frame", () => {
  assert.equal(framesFor(2, 1000 / 60), 1);
  assert.ok(Math.abs(exposure(display(60), 2, 1000 / 60) - 1000 / 60) < 1e-9);
});

test("one long gap does not change the frame time", () => {
  assert.equal(median([16, 17, 400]), 17);
  assert.equal(median([16, 18]), 17);
});
