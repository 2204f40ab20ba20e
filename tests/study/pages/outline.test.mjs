import assert from "node:assert/strict";
import { test } from "node:test";

const at = (name) => import(`${process.env.PAGES}/${name}.js`);
const { answerOf, isEmpty, isFull, strokeOf } = await at("outline");
const { History, moved } = await at("ordering");
const { waitOf } = await at("backoff");

const scribble = (count) => Array.from({ length: count }, (_, n) => [(n * 37) % 400, (n * 91) % 300]);

test("a stroke fits what the server takes, however long it was painted", () => {
  const { points, radius, erases } = strokeOf(scribble(60_000), 8, true);
  assert.ok(points.length <= 2000 && points.length > 1);
  assert.deepEqual([radius, erases], [8, true]);
});

test("a tap of the brush is a stroke of one place", () => {
  assert.ok(strokeOf([[5, 5], [5, 5]], 8, false).points.length >= 1);
});

test("polygons and strokes are answered in the order drawn", () => {
  const polygon = [[0, 0], [9, 0], [0, 9]];
  const [one, two] = [strokeOf([[1, 1]], 3, false), strokeOf([[2, 2]], 3, true)];
  const steps = [{ stroke: one }, { polygon }, { stroke: two }];
  assert.deepEqual(answerOf(steps), { kind: "outline", polygons: [polygon], strokes: [one, two] });
});

test("nothing is painted by an eraser alone", () => {
  assert.ok(isEmpty([]));
  assert.ok(isEmpty([{ stroke: strokeOf([[1, 1]], 3, true) }]));
  assert.ok(!isEmpty([{ stroke: strokeOf([[1, 1]], 3, false) }]));
});

test("an outline is full before its answer is larger than the server takes", () => {
  const steps = [];
  while (!isFull(steps)) steps.push({ stroke: { points: scribble(1999), radius: 8.1, erases: false } });
  const last = { stroke: { points: Array(2000).fill([1234.5, 1234.5]), radius: 8.1, erases: false } };
  assert.ok(JSON.stringify(answerOf([...steps, last])).length < 512 * 1024);
  const polygons = Array.from({ length: 20 }, () => ({ polygon: scribble(3) }));
  assert.ok(isFull(polygons) && !isFull(polygons.slice(1)));
});

test("undo and redo walk back and forth; a new step forgets what was undone", () => {
  const history = new History(["a"]);
  history.push("b");
  history.undo();
  assert.deepEqual([history.done, history.undone], [["a"], ["b"]]);
  history.redo();
  assert.deepEqual(history.done, ["a", "b"]);
  history.undo();
  history.push("c");
  history.redo();
  assert.deepEqual(history.done, ["a", "c"]);
  for (let count = 0; count < 5; count += 1) history.undo();
  assert.deepEqual(history.done, []);
});

test("moving an item keeps the others in their order", () => {
  assert.deepEqual(moved([1, 2, 3, 4], 0, 2), [2, 3, 1, 4]);
  assert.deepEqual(moved([1, 2, 3, 4], 3, 0), [4, 1, 2, 3]);
  assert.deepEqual(moved([1, 2, 3, 4], 1, 99), [1, 3, 4, 2]);
});

test("waiting times double to a limit, with chance, and never undercut the server's wish", () => {
  const least = Array.from({ length: 12 }, (_, tries) => waitOf(tries, 0, 0));
  assert.deepEqual(least.slice(0, 4), [0.5, 1, 2, 4]);
  assert.equal(least.at(-1), 20);
  assert.ok(waitOf(3, 0, 0.999) < 5.01 && waitOf(3, 0, 0.5) > 4);
  assert.equal(waitOf(0, 30, 0.5), 30);
});
