// Elements, what a screen reader hears, and the one place where pages are shown.

const SVG = "http://www.w3.org/2000/svg";

// Properties that begin with "on" are listeners, true sets an empty attribute, false and null none.
const furnished = (made, properties, children) => {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child != null));
  return made;
};

export const element = (name, properties = {}, ...children) =>
  furnished(document.createElement(name), properties, children);

export const drawing = (name, properties = {}, ...children) =>
  furnished(document.createElementNS(SVG, name), properties, children);

export const button = (text, onclick, properties = {}) =>
  element("button", { type: "button", onclick, ...properties }, text);

// The paragraphs of a plain text: blank lines separate them.
export const paragraphs = (text) =>
  text
    .split(/\n\s*\n/)
    .filter((part) => part.trim())
    .map((part) => element("p", {}, part.trim()));

// Replaces what the page shows. The heading takes the focus, so that a screen reader starts there.
export const show = (...children) => {
  const main = document.getElementById("main");
  main.replaceChildren(...children.flat().filter((child) => child != null));
  scrollTo(0, 0);
  const heading = main.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
};

// Said politely by a screen reader; the same text twice is said twice.
export const announce = (text) => {
  const place = document.getElementById("announcement");
  place.replaceChildren();
  setTimeout(() => place.replaceChildren(text), 30);
};

// Resolves with the event of the first press of a button, which has the focus. It is disabled by
// it, so that a slow network is not answered with further presses.
export const pressed = (one, focus = true) =>
  new Promise((resolve) => {
    const press = (event) => {
      one.disabled = true;
      resolve(event);
    };
    one.addEventListener("click", press, { once: true });
    if (focus) one.focus({ preventScroll: true });
  });
