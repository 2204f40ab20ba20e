// Ranking: the pictures of several pipelines in the order of how natural they look.

import { announce, button, element } from "./dom.js";
import { draftOf, keepDraft } from "./draft.js";
import { nextFrame } from "./flash.js";
import { moved } from "./ordering.js";
import { prepared } from "./pictures.js";

const QUESTION = "Put the pictures in order, the most natural first.";
const HELP =
  "Drag a picture by its bar, use its arrow buttons, or focus the bar and press the arrow keys.";
const BEFORE = ["ArrowLeft", "ArrowUp"];
const AFTER = ["ArrowRight", "ArrowDown"];

const EDGE = 60; // CSS pixels from the window's edge where dragging scrolls
const SCROLL = 14;

const letterOf = (place) => String.fromCharCode(65 + place);

// The place of the card whose middle is nearest to a point of the window.
const nearest = (cards, x, y) => {
  const away = cards.map((card) => {
    const { left, top, width, height } = card.getBoundingClientRect();
    return Math.hypot(left + width / 2 - x, top + height / 2 - y);
  });
  return away.indexOf(Math.min(...away));
};

// The cards of the pictures in the order in which the participant has put them.
class Ranking {
  constructor(cards, order, onChange) {
    Object.assign(this, { cards, order, onChange });
    this.list = element("ol", { class: "ranking", "aria-label": QUESTION });
    this.list.append(...this.inOrder.map((card) => card.element));
    this.#label();
  }

  get inOrder() {
    return this.order.map((name) => this.cards.get(name));
  }

  #label() {
    for (const [place, card] of this.inOrder.entries()) {
      card.rank.textContent = String(place + 1);
      card.earlier.disabled = place === 0;
      card.later.disabled = place === this.order.length - 1;
      card.bar.setAttribute("aria-label", `Picture ${card.letter}, place ${place + 1}`);
    }
  }

  // Puts the others around the moved card, which stays where it is: taken out of the page, it
  // would lose the focus and the finger that drags it.
  #arrangeAround(name) {
    const still = this.cards.get(name).element;
    const place = this.order.indexOf(name);
    for (const card of this.inOrder.slice(0, place)) this.list.insertBefore(card.element, still);
    for (const card of this.inOrder.slice(place + 1)) this.list.append(card.element);
    this.#label();
  }

  move(name, to) {
    const from = this.order.indexOf(name);
    if (to < 0 || to >= this.order.length || to === from) return;
    this.order = moved(this.order, from, to);
    const card = this.cards.get(name);
    const hadFocus = card.element.contains(document.activeElement);
    this.#arrangeAround(name);
    if (hadFocus && document.activeElement.disabled !== false) card.bar.focus();
    announce(`Picture ${card.letter} is now in place ${to + 1} of ${this.order.length}.`);
    this.onChange(this.order);
  }

  step(name, by) {
    this.move(name, this.order.indexOf(name) + by);
  }
}

const cardOf = (name, place, picture, size) => {
  const letter = letterOf(place);
  const rank = element("span", { class: "rank-number" });
  const bar = element("div", { class: "handle", role: "button", tabindex: "0" }, rank);
  bar.append(element("span", { "aria-hidden": "true" }, "⠿ drag"));
  const earlier = button("←", () => {}, { "aria-label": `Move picture ${letter} earlier` });
  const later = button("→", () => {}, { "aria-label": `Move picture ${letter} later` });
  const canvas = prepared(picture, size);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Picture ${letter}`);
  const top = element("div", { class: "card-top" }, bar, earlier, later);
  return { name, letter, rank, bar, earlier, later, element: element("li", {}, top, canvas) };
};

const makeMovable = (card, ranking) => {
  card.earlier.addEventListener("click", () => ranking.step(card.name, -1));
  card.later.addEventListener("click", () => ranking.step(card.name, 1));
  card.bar.addEventListener("keydown", (event) => {
    const by = BEFORE.includes(event.key) ? -1 : Number(AFTER.includes(event.key));
    if (!by) return;
    event.preventDefault();
    ranking.step(card.name, by);
  });
  card.bar.addEventListener("pointerdown", (down) => {
    if (down.button > 0) return;
    down.preventDefault();
    card.bar.focus({ preventScroll: true });
    card.element.classList.add("dragged");
    const move = ({ pointerId, clientX, clientY }) => {
      if (pointerId !== down.pointerId) return;
      if (clientY < EDGE) scrollBy(0, -SCROLL);
      if (clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
      ranking.move(card.name, nearest(ranking.inOrder.map((one) => one.element), clientX, clientY));
    };
    const end = ({ pointerId }) => {
      if (pointerId !== down.pointerId) return;
      card.element.classList.remove("dragged");
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
};

// The order kept of this trial, if it is of these pictures.
const orderOf = (trial) => {
  const names = trial.pictures.map(({ name }) => name);
  const kept = draftOf(trial.trial)?.order ?? [];
  return names.length === kept.length && names.every((name) => kept.includes(name)) ? kept : names;
};

export const rank = async (host, trial, pictures, size) => {
  const cards = new Map(
    trial.pictures.map(({ name }, place) => [name, cardOf(name, place, pictures[place], size)]),
  );
  const ranking = new Ranking(cards, orderOf(trial), (order) => keepDraft(trial.trial, { order }));
  for (const card of cards.values()) makeMovable(card, ranking);
  const start = await nextFrame();
  const done = button("Done", () => {}, { class: "main" });
  host.append(
    element("p", { class: "question" }, QUESTION),
    element("p", { class: "hint" }, HELP),
    ranking.list,
    element("div", { class: "bar" }, done),
  );
  const event = await new Promise((resolve) => done.addEventListener("click", resolve));
  return {
    answer: { kind: "order", order: ranking.order },
    exposure: { shown_ms: null, frame_ms: null, hidden: false },
    response_ms: event.timeStamp - start,
  };
};
