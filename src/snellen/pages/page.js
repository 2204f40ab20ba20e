"use strict";
(() => {
  const cards = [...document.querySelectorAll(".card")];
  if (!cards.length) return;
  const find = (id) => document.getElementById(id);

  // Filters: several kinds are a choice of any, the class narrows it down.
  const filters = find("filters");
  const chips = [...filters.querySelectorAll("button")];
  const select = find("class-filter");
  const list = (card, key) => JSON.parse(card.dataset[key]);
  const apply = () => {
    const kinds = chips.filter((c) => c.ariaPressed === "true").map((c) => c.dataset.kind);
    let count = 0;
    for (const card of cards) {
      const fits =
        (!kinds.length || list(card, "kinds").some((kind) => kinds.includes(kind))) &&
        (!select.value || list(card, "names").includes(select.value));
      card.hidden = !fits;
      count += fits;
    }
    find("shown").textContent = `${count} of ${cards.length} findings`;
  };
  for (const chip of chips)
    chip.addEventListener("click", () => {
      chip.ariaPressed = String(chip.ariaPressed !== "true");
      apply();
    });
  select.addEventListener("change", apply);
  filters.hidden = false;

  // A link to a finding opens the fold that it is in.
  const unfold = () => find(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
  addEventListener("hashchange", unfold);
  unfold();

  // The viewer: one finding, the whole scene, before or after.
  const viewer = find("viewer");
  let open = 0;
  let side = 0;
  const shown = () => cards.filter((card) => !card.hidden);
  const shots = () => [...shown()[open].querySelectorAll(".shot")];
  const draw = () => {
    const found = shots();
    const shot = found[side].cloneNode(true);
    shot.querySelector(".stage").removeAttribute("style");
    find("large").replaceChildren(shot);
    placedWords.observe(shot);
    find("description").replaceChildren(shown()[open].querySelector(".caption").cloneNode(true));
    find("flip").hidden = found.length < 2;
    find("flip").textContent = `show ${found[(side + 1) % found.length].dataset.side}`;
  };
  const flip = () => {
    side = (side + 1) % shots().length;
    draw();
  };
  const start = (place) => {
    open = place;
    side = Number(shown()[open].dataset.first);
    draw();
  };
  const step = (by) => start((open + by + shown().length) % shown().length);
  for (const card of cards)
    card.querySelector(".pair").addEventListener("click", () => {
      start(shown().indexOf(card));
      viewer.showModal();
    });
  find("flip").addEventListener("click", flip);
  find("large").addEventListener("click", flip);
  find("bare").addEventListener("click", () => {
    const bare = viewer.classList.toggle("bare");
    find("bare").textContent = bare ? "show marks" : "hide marks";
  });
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("close").addEventListener("click", () => viewer.close());
  viewer.addEventListener("click", (event) => {
    if (event.target === viewer) viewer.close();
  });
  viewer.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "b") flip();
    else if (event.key === "m") find("bare").click();
  });
})();
