import assert from "node:assert/strict";
import { test } from "node:test";

const at = (name) => import(`${process.env.PAGES}/${name}.js`);
const { boxBetween, clamped, distance, thinned, viewOf, zoomFor } = await at("geometry");
const { fitted, roomOf } = await at("fit");

const random = (seed) => () => (seed = (seed * 16807) % 2147483647) / 2147483647;

test("a box is the same from each of its four corners, and x comes before y", () => {
  const box = [10, 20, 110, 50];
  for (const [a, b] of [[[10, 20], [110, 50]], [[110, 50], [10, 20]], [[10, 50], [110, 20]], [[110, 20], [10, 50]]])
    assert.deepEqual(boxBetween(a, b, 3), box);
});

test("a click is no box, nor is a line", () => {
  assert.equal(boxBetween([5, 5], [5, 5], 3), null);
  assert.equal(boxBetween([5, 5], [200, 6], 3), null);
  assert.equal(boxBetween([5, 5], [6, 200], 3), null);
});

test("points are inside the picture, to a tenth", () => {
  assert.deepEqual(clamped([-3, 250.04], 320, 240), [0, 240]);
  assert.deepEqual(clamped([3.14159, 2.71828], 320, 240), [3.1, 2.7]);
});

test("the view has the picture's shape, lies in it and holds the box's centre", () => {
  const next = random(3);
  for (let count = 0; count < 500; count += 1) {
    const [w, h] = [100 + next() * 900, 100 + next() * 900];
    const [x, y] = [next() * w * 0.9, next() * h * 0.9];
    const box = [x, y, x + 1 + next() * (w - x - 1), y + 1 + next() * (h - y - 1)];
    const zoom = zoomFor(box, w, h);
    const view = viewOf(box, w, h, zoom);
    assert.ok(zoom >= 1 && zoom <= 8);
    assert.ok(Math.abs(view.width / view.height - w / h) < 1e-9);
    assert.ok(view.x >= 0 && view.y >= 0 && view.x + view.width <= w + 1e-9 && view.y + view.height <= h + 1e-9);
    const [cx, cy] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    assert.ok(cx >= view.x && cx <= view.x + view.width && cy >= view.y && cy <= view.y + view.height);
    if (zoom > 1) {
      assert.ok(box[0] >= view.x - 1e-9 && box[2] <= view.x + view.width + 1e-9, "all of the box in view");
      assert.ok(box[1] >= view.y - 1e-9 && box[3] <= view.y + view.height + 1e-9);
    }
  }
});

const toSegment = ([px, py], [ax, ay], [bx, by]) => {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = length ? Math.max(0, Math.min(1, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) : 0;
  return distance([px, py], [ax + t * (bx - ax), ay + t * (by - ay)]);
};

test("a thinned line keeps its ends and is near to every point that it left out", () => {
  const next = random(11);
  for (let count = 0; count < 30; count += 1) {
    const points = [[50, 50]];
    let heading = 0;
    for (let step = 0; step < 300; step += 1) {
      heading += (next() - 0.5) * 0.6;
      const [x, y] = points.at(-1);
      points.push([x + Math.cos(heading), y + Math.sin(heading)]);
    }
    const thin = thinned(points, 0.5);
    assert.deepEqual([thin[0], thin.at(-1)], [points[0], points.at(-1)]);
    assert.ok(thin.length < points.length / 2);
    for (const point of points) {
      const off = Math.min(...thin.slice(1).map((end, place) => toSegment(point, thin[place], end)));
      assert.ok(off < 1.5, `${off}`);
    }
  }
});

test("a closed stroke, whose ends are one point, is not thinned to that point", () => {
  const circle = Array.from({ length: 101 }, (_, n) => [100 + 40 * Math.cos((n * Math.PI) / 50), 100 + 40 * Math.sin((n * Math.PI) / 50)]);
  circle[100] = circle[0];
  assert.ok(thinned(circle, 0.5).length > 10);
});

test("pictures are as large for everyone who has room, never cut, and no larger than needed", () => {
  const desktop = roomOf(1280, 900, 270);
  assert.deepEqual(fitted(500, 375, desktop), { width: 500, height: 375, small: false });
  assert.deepEqual(fitted(1280, 720, desktop), { width: 640, height: 360, small: false });
  assert.deepEqual(fitted(32, 32, desktop), { width: 256, height: 256, small: false });
  assert.deepEqual(fitted(1280, 720, roomOf(2560, 1440, 270)), { width: 640, height: 360, small: false });
  const phone = fitted(1280, 720, roomOf(390, 844, 270));
  assert.deepEqual(phone, { width: 358, height: 201, small: false });
  assert.equal(fitted(1280, 720, roomOf(844, 390, 270)).small, true);
  assert.equal(fitted(500, 375, roomOf(240, 800, 270)).small, true);
  assert.equal(fitted(500, 375, roomOf(360, 640, 270)).small, false);
});
