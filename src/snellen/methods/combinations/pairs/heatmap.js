"use strict";
(() => {
  const root = document.getElementById("map");
  if (!root) return;
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(root.dataset.numbers);
  const tip = find("map-tip");
  const space = root.querySelector("svg").namespaceURI;
  const LEVELS = 8;
  const STEEP = 20; // names of narrower columns stand upright
  const sum = (values) => values.reduce((a, b) => a + b, 0);

  // [how often, of how many] of a cell: row r is present, column c comes out wrong.
  const views = {
    any: (r, c) => [data.missed[r][c] + data.added[r][c] + data.swapped[r][c], data.present[r]],
    missing: (r, c) => [data.missed[r][c], data.both[r][c]],
    extra: (r, c) => [data.added[r][c], data.present[r] - data.both[r][c]],
    mismatch: (r, c) => [data.swapped[r][c], data.present[r] - data.both[r][c]],
    attributed: (r, c) => [data.blamed[r][c], data.present[r]],
  };
  const says = {
    any: "The column's label is wrong, of the images with the row's label.",
    missing: "The column's label is not output, of the images with both.",
    extra: "The column's label is output beside the row's, of the images with the row's label only.",
    mismatch: "The column's label is output for the row's, of the images with the row's label only.",
    attributed:
      "The smallest part that still fails shows it, of the images with the row's label. " +
      "This leaves out labels that happen to be in the same image.",
  };
  const same = (r, c) => data.rows[r] === data.columns[c];
  const rate = (view, r, c) => {
    const [bad, all] = views[view](r, c);
    return same(r, c) || !all ? null : bad / all;
  };
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const rateText = ([bad, all]) => {
    return all ? `${bad} of ${all}, ${percent(bad / all)}` : "never shown";
  };

  let view = "attributed";
  let rows = [];
  let columns = [];
  let at = null;
  let size = 0;
  let left = 0;
  let top = 0;
  let chart = null;
  const make = (name, attributes, text) => {
    const node = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  const ordered = (names, errors, how) => {
    const places = names.map((_, place) => place);
    if (how === "name") places.sort((a, b) => names[a].localeCompare(names[b]));
    if (how === "errors") places.sort((a, b) => errors[b] - errors[a] || a - b);
    return places;
  };
  const arrange = () => {
    const how = find("map-order").value;
    const bad = data.rows.map((_, r) => data.columns.map((_, c) => (same(r, c) ? 0 : views[view](r, c)[0])));
    rows = ordered(data.rows, bad.map(sum), how);
    columns = ordered(data.columns, data.columns.map((_, c) => sum(bad.map((row) => row[c]))), how);
  };

  const difficult = new Set(data.difficult);
  const marked = (name) => (difficult.has(name) ? `${name} \u2020` : name);
  const labels = (shapes) => {
    rows.forEach((r, y) =>
      shapes.push(make("text", { x: left - 5, y: top + (y + 0.5) * size, class: "map-row", "data-y": y }, marked(data.rows[r]))));
    columns.forEach((c, x) => {
      const turn = `translate(${left + (x + 0.5) * size} ${top - 5}) rotate(${size < STEEP ? -90 : -60})`;
      shapes.push(make("text", { transform: turn, class: "map-column", "data-x": x }, marked(data.columns[c])));
    });
  };
  const cells = (shapes) => {
    const paths = Array.from({ length: LEVELS + 1 }, () => []);
    const blank = [];
    const framed = [];
    let most = 0;
    for (const r of rows) for (const c of columns) most = Math.max(most, rate(view, r, c) || 0);
    rows.forEach((r, y) =>
      columns.forEach((c, x) => {
        const value = rate(view, r, c);
        const box = `M${left + x * size} ${top + y * size}h${size - 1}v${size - 1}h${1 - size}z`;
        if (data.stands[r][c]) framed.push(box);
        if (value === null) blank.push(box);
        else paths[value ? Math.max(1, Math.ceil(LEVELS * Math.sqrt(value / most))) : 0].push(box);
      }));
    shapes.push(make("path", { d: blank.join(""), class: "map-blank" }));
    paths.forEach((boxes, level) => shapes.push(make("path", { d: boxes.join(""), class: `map-${level}` })));
    shapes.push(make("path", { d: framed.join(""), class: "map-stands" }));
    return most;
  };
  const legend = (most) => {
    const key = document.createElement("span");
    key.className = "map-key";
    const ramp = make("svg", { viewBox: `0 0 ${LEVELS * 14} 14`, width: LEVELS * 14, height: 14, "aria-hidden": "true" });
    for (let level = 1; level <= LEVELS; level++)
      ramp.append(make("rect", { x: (level - 1) * 14, y: 0, width: 13, height: 14, class: `map-${level}` }));
    key.append("0% ", ramp, ` ${percent(most)}`);
    find("map-says").replaceChildren(most ? says[view] : `${says[view]} There are none.`, " ", ...(most ? [key] : []));
  };
  const draw = () => {
    arrange();
    const long = (names) => Math.max(...names.map((name) => Math.min(name.length, 18)));
    const room = root.clientWidth || 960;
    left = 12 + 6.4 * long(data.rows);
    let tail = 3.2 * long(data.columns);
    size = Math.max(12, Math.min(44, Math.floor((room - left - tail - 24) / columns.length)));
    top = 14 + (size < STEEP ? 6.4 : 5.8) * long(data.columns);
    if (size < STEEP) tail = 0;
    const [width, height] = [left + columns.length * size + tail, top + rows.length * size + 2];
    chart = make("svg", {
      viewBox: `0 0 ${width} ${height}`, width, height, tabindex: 0, role: "application", class: "map-chart",
      "aria-label": `Map of ${rows.length} labels by ${columns.length}; use the arrow keys to move`,
    });
    const shapes = [];
    labels(shapes);
    const most = cells(shapes);
    shapes.push(make("rect", { class: "map-beam", id: "map-beam-row" }), make("rect", { class: "map-beam", id: "map-beam-column" }));
    shapes.push(make("rect", { class: "map-here", id: "map-here" }));
    chart.append(...shapes);
    find("map-chart").replaceChildren(chart);
    legend(most);
    hide();
    listen();
  };

  const line = (name, value) => {
    const row = document.createElement("div");
    const what = document.createElement("span");
    what.textContent = name;
    row.append(what, ` ${value}`);
    return row;
  };
  const describe = (r, c) => {
    const [row, column] = [data.rows[r], data.columns[c]];
    const title = document.createElement("strong");
    title.textContent = same(r, c) ? row : `${row} is present, ${column} is wrong`;
    if (same(r, c)) return [title, line("not output", rateText([data.missed[r][c], data.present[r]]))];
    const counts = ["passed", "missing", "extra", "mismatch"].map((name) => data[name][r][c]);
    const lines = [
      title,
      line(`${column} missing beside ${row}`, rateText(views.missing(r, c))),
      line(`${column} extra beside ${row}`, rateText(views.extra(r, c))),
      line(`${column} for ${row} (mismatch)`, rateText(views.mismatch(r, c))),
      line("in a smallest failing part", `${data.blamed[r][c]} images`),
      line("stands out", data.stands[r][c] ? "yes, at a false discovery rate of 5%" : "no"),
      line("the pair either way", `${sum(counts)} tested: ${counts[0]} pass, ${counts[1]} missing, ${counts[2]} extra, ${counts[3]} mismatch`),
    ];
    if (data.training) lines.push(line("in training", `${data.training[r][c]} images with both`));
    return lines;
  };
  const placed = () => {
    const box = chart.getBoundingClientRect();
    const x = box.left + left + (at[0] + 1) * size;
    const y = box.top + top + (at[1] + 1) * size;
    const wide = document.documentElement.clientWidth;
    const { width, height } = tip.getBoundingClientRect();
    const beside = x + 8 + width > wide ? x - size - 8 - width : x + 8;
    const below = y + 8 + height > innerHeight ? y - size - 8 - height : y + 8;
    tip.style.left = `${Math.max(4, Math.min(beside, wide - width - 4))}px`;
    tip.style.top = `${Math.max(4, below)}px`;
  };
  const set = (id, x, y, width, height) => {
    const node = find(id);
    for (const [key, value] of Object.entries({ x, y, width, height })) node.setAttribute(key, value);
  };
  const show = (x, y) => {
    at = [x, y];
    tip.replaceChildren(...describe(rows[y], columns[x]));
    tip.hidden = false;
    chart.classList.add("map-on");
    set("map-beam-row", 0, top + y * size, left + columns.length * size, size - 1);
    set("map-beam-column", left + x * size, top, size - 1, rows.length * size);
    set("map-here", left + x * size - 0.5, top + y * size - 0.5, size, size);
    for (const node of chart.querySelectorAll("text"))
      node.classList.toggle("map-lit", node.dataset.x === String(x) || node.dataset.y === String(y));
    placed();
  };
  const hide = () => {
    at = null;
    tip.hidden = true;
    chart.classList.remove("map-on");
    for (const node of chart.querySelectorAll(".map-lit")) node.classList.remove("map-lit");
  };
  const walk = (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape") hide();
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const inside = (value, length) => Math.max(0, Math.min(length - 1, value));
    if (at) show(inside(at[0] + step[0], columns.length), inside(at[1] + step[1], rows.length));
    else show(0, 0);
    find("map-here").scrollIntoView({ block: "nearest", inline: "nearest" });
    placed();
  };
  const listen = () => {
    const point = (event) => {
      const box = chart.getBoundingClientRect();
      const x = Math.floor((event.clientX - box.left - left) / size);
      const y = Math.floor((event.clientY - box.top - top) / size);
      if (x < 0 || y < 0 || x >= columns.length || y >= rows.length) hide();
      else if (!at || at[0] !== x || at[1] !== y) show(x, y);
    };
    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    chart.addEventListener("keydown", walk);
    chart.addEventListener("blur", hide);
  };

  const buttons = [...find("map-view").querySelectorAll("button")];
  for (const button of buttons)
    button.addEventListener("click", () => {
      view = button.dataset.view;
      for (const other of buttons) other.ariaPressed = String(other === button);
      draw();
    });
  find("map-order").addEventListener("change", draw);
  addEventListener("scroll", () => at && placed(), { passive: true });
  find("map-without").remove();
  root.hidden = false;
  draw();
})();
