"use strict";
// Cells name their column, so that a wide table can be shown as a list on a narrow screen.
for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
  const headings = [...table.querySelectorAll("thead th")].map((one) => one.textContent);
  if (headings.length < 4) continue;
  table.dataset.rows = "";
  for (const row of table.querySelectorAll("tbody tr"))
    [...row.cells].forEach((cell, place) => {
      cell.dataset.heading = headings[place] ?? "";
      const content = document.createElement("span");
      content.append(...cell.childNodes);
      cell.append(content);
    });
}
// A table that scrolls can be scrolled with the keyboard; lines of code are no links without a name.
for (const part of document.querySelectorAll(".md-typeset__scrollwrap")) part.tabIndex = 0;
for (const line of document.querySelectorAll("a[id^=__codelineno]")) line.removeAttribute("href");
