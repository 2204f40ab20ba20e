"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const objects = [...document.querySelectorAll(".object")];
  const sections = [...document.querySelectorAll("section")];
  const chips = [...document.querySelectorAll(".chips button")];
  const others = JSON.parse(document.body.dataset.others);
  const pressed = (button) => button.getAttribute("aria-pressed") === "true";
  const rejected = (object) => object.classList.contains("rejected");
  const used = (object) => !pressed(object) && !rejected(object);

  // The exclusion file: what is struck out here, and what it strikes out beyond this page.
  const heading = "# Objects struck out. Name this file as objects.exclude in the configuration.";
  const lines = () => [...objects.filter(pressed).map((one) => one.dataset.line), ...others];
  const text = () => [heading, ...new Set(lines())].join("\n") + "\n";
  let saved = text();

  const kinds = { all: () => true, used, rejected, struck: pressed };
  let shown = "all";
  const filter = () => {
    for (const object of objects) object.hidden = !kinds[shown](object);
    for (const section of sections)
      section.hidden = !section.querySelector(".object:not([hidden])");
    find("nothing").hidden = sections.some((section) => !section.hidden);
  };
  const count = () => {
    const struck = new Set(lines()).size;
    find("count").textContent = `${struck} struck out`;
    find("count").className = struck ? "some" : "";
    for (const chip of chips) {
      const name = chip.dataset.name ?? (chip.dataset.name = chip.textContent);
      chip.textContent = `${name} ${objects.filter(kinds[chip.dataset.show]).length}`;
    }
    for (const section of sections) {
      const all = [...section.querySelectorAll(".object")];
      section.querySelector("small").textContent = `${all.filter(used).length} of ${all.length} used`;
    }
    find("text").value = text();
  };

  for (const object of objects)
    object.addEventListener("click", () => {
      object.setAttribute("aria-pressed", String(!pressed(object)));
      count();
    });
  for (const chip of chips)
    chip.addEventListener("click", () => {
      shown = chip.dataset.show;
      for (const one of chips) one.setAttribute("aria-pressed", String(one === chip));
      filter();
    });
  find("ground").addEventListener("change", (event) => {
    document.body.className = event.target.value;
  });
  find("jump").addEventListener("change", (event) => {
    const toolbar = document.querySelector(".toolbar");
    const sticky = getComputedStyle(toolbar).position === "sticky" ? toolbar.offsetHeight : 0;
    document.documentElement.style.scrollPaddingTop = `${sticky}px`;
    find(event.target.value)?.scrollIntoView();
    event.target.value = "";
  });

  // Arrow keys move among the objects that are shown: along them, or to the nearest above or below.
  const beyond = (object, down) => {
    const from = object.getBoundingClientRect();
    const middle = (box) => box.left + box.width / 2;
    let best = null;
    let least = Infinity;
    for (const other of objects) {
      if (other.hidden) continue;
      const box = other.getBoundingClientRect();
      const rows = down ? box.top - from.bottom : from.top - box.bottom;
      const cost = 1e4 * rows + Math.abs(middle(box) - middle(from));
      if (rows >= 0 && cost < least) [best, least] = [other, cost];
    }
    return best;
  };
  document.querySelector("main").addEventListener("keydown", (event) => {
    const object = event.target.closest(".object");
    if (!object || event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = objects.filter((one) => !one.hidden);
    const place = visible.indexOf(object);
    const next = {
      ArrowRight: () => visible[place + 1],
      ArrowLeft: () => visible[place - 1],
      ArrowDown: () => beyond(object, true),
      ArrowUp: () => beyond(object, false),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next()?.focus();
  });

  const flash = (button, word) => {
    const before = button.dataset.name ?? (button.dataset.name = button.textContent);
    button.textContent = word;
    setTimeout(() => (button.textContent = before), 1500);
  };
  find("download").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain" }));
    link.download = document.body.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    saved = text();
  });
  find("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      find("list").open = true;
      find("text").select();
      if (!document.execCommand("copy")) return;
    }
    saved = text();
    flash(find("copy"), "Copied");
  });
  window.addEventListener("beforeunload", (event) => {
    if (text() !== saved) event.preventDefault();
  });
  count();
  filter();
})();
