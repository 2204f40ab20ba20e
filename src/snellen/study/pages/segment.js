// Segmentation of a given object: the tools around the picture.

import { announce, button, element } from "./dom.js";
import { draftOf, keepDraft } from "./draft.js";
import { nextFrame } from "./flash.js";
import { zoomFor } from "./geometry.js";
import { answerOf, isEmpty, isFull } from "./outline.js";
import { OutlineDrawing } from "./outline_drawing.js";
import { Surface } from "./surface.js";

const TOOLS = { polygon: "Polygon", brush: "Brush", eraser: "Eraser" };
const KEYS =
  "With the keyboard: arrows move the cross (with Shift in small steps). Polygon: Enter sets a " +
  "corner, Enter on the first corner or “Close outline” closes it. Brush and eraser: Enter starts " +
  "and ends a stroke. Escape drops what is open.";
const HELP = {
  polygon: "Set corners around the object, then close the outline at its first corner.",
  brush: "Paint over the object.",
  eraser: "Wipe away what is painted too far.",
};

const toolButtons = (use) => {
  const made = Object.entries(TOOLS).map(([tool, name]) =>
    button(name, () => choose(tool), { "aria-pressed": String(tool === "polygon") }),
  );
  const choose = (tool) => {
    for (const [place, name] of Object.keys(TOOLS).entries())
      made[place].setAttribute("aria-pressed", String(name === tool));
    use(tool);
  };
  return made;
};

const brushSize = (surface, drawing) => {
  const input = element("input", { type: "range", min: 2, max: 60, value: 12, id: "brush" });
  const apply = () => {
    drawing.radius = Math.round(Number(input.value) * surface.unit * 10) / 10;
    drawing.draw();
  };
  input.addEventListener("input", apply);
  const label = element("label", { for: "brush", hidden: true }, "Brush size ", input);
  return { label, apply };
};

export const segment = async (host, trial, pictures, size) => {
  const question = `Outline the ${trial.label} in the box.`;
  const surface = new Surface(pictures[0], size, `${question} ${KEYS}`);
  const start = await nextFrame();
  return new Promise((resolve) => {
    const finish = (event) => {
      drawing.close();
      if (isEmpty(drawing.steps)) return;
      resolve({
        answer: answerOf(drawing.steps),
        exposure: { shown_ms: null, frame_ms: null, hidden: false },
        response_ms: event.timeStamp - start,
      });
    };
    const help = element("p", { class: "hint" }, HELP.polygon);
    const undo = button("Undo", () => drawing.undo());
    const redo = button("Redo", () => drawing.redo());
    const close = button("Close outline", () => {
      drawing.close();
      announce("Outline closed.");
    });
    const done = button("Done", finish, { class: "main" });
    const onChange = () => {
      undo.disabled = !drawing.steps.length && !drawing.corners.length;
      redo.disabled = !drawing.history.undone.length;
      close.disabled = drawing.corners.length < 3;
      done.disabled = isEmpty(drawing.steps) && drawing.corners.length < 3;
      help.textContent = isFull(drawing.steps)
        ? "This outline has as many parts as can be kept. Finish it, or undo some."
        : HELP[drawing.tool];
      keepDraft(trial.trial, { steps: drawing.steps });
    };
    const steps = draftOf(trial.trial)?.steps ?? [];
    const drawing = new OutlineDrawing(surface, trial.box, steps, () => onChange());
    const brush = brushSize(surface, drawing);
    const tools = toolButtons((tool) => {
      brush.label.hidden = tool === "polygon";
      close.hidden = tool !== "polygon";
      drawing.use(tool);
      brush.apply();
      surface.canvas.focus({ preventScroll: true });
    });
    const best = zoomFor(trial.box, pictures[0].width, pictures[0].height);
    let zoom = best;
    const zoomTo = (value) => {
      zoom = Math.min(8, Math.max(1, value));
      surface.zoomTo(trial.box, zoom);
      out.disabled = zoom <= 1;
      nearer.disabled = zoom >= 8;
      brush.apply();
      announce(`Zoom ${zoom}.`);
    };
    const out = button("−", () => zoomTo(zoom / 1.5 < 1.2 ? 1 : zoom / 1.5), {
      "aria-label": "Zoom out",
    });
    const nearer = button("+", () => zoomTo(zoom * 1.5), { "aria-label": "Zoom in" });
    const onKey = (event) => {
      if (!host.isConnected) return removeEventListener("keydown", onKey);
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      (event.shiftKey ? redo : undo).click();
    };
    addEventListener("keydown", onKey);
    host.append(
      element("p", { class: "question" }, question),
      element(
        "div",
        { class: "bar" },
        element("div", { class: "group", role: "group", "aria-label": "Tool" }, tools),
        element("div", { class: "group", role: "group", "aria-label": "Zoom" }, out, nearer),
        brush.label,
      ),
      help,
      element("div", { class: "screen" }, surface.canvas),
      element("div", { class: "bar" }, undo, redo, close, done),
      element("p", { class: "hint keys" }, KEYS),
    );
    zoomTo(best);
    drawing.draw();
    onChange();
    surface.canvas.focus({ preventScroll: true });
  });
};
