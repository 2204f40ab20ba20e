"""A table of hard events by class and kind."""

from __future__ import annotations

from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import section, table
from snellen.store.summary import Summary


def event_section(summary: Summary) -> Markup | None:
    """Hard events by class and kind, most affected class first."""
    by_class, kinds = summary.by_class, list(summary.events)
    if not by_class:
        return None
    most = max(count for row in by_class.values() for count in row.values())
    ordered = sorted(by_class.items(), key=lambda one: (-sum(one[1].values()), one[0]))
    rows: list[list[Child]] = [
        [name, *(_bar(row.get(kind, 0), most, kind) for kind in kinds), sum(row.values())]
        for name, row in ordered
    ]
    totals = list(summary.events.values())
    rows.append(["all classes", *totals, sum(totals)])
    note = ", ".join(f"{count} {kind}" for kind, count in summary.borderline_events.items())
    return section(
        "What happened",
        table(["class", *kinds, "all"], rows, "Hard events of failing cases, by class and kind"),
        tag("p", f"Borderline events, not counted: {note}.", class_="facts") if note else None,
        id="events",
    )


def _bar(count: int, most: int, kind: str) -> Markup:
    width = f"width:{100 * count / most:.1f}%"
    bar = tag("span", class_=f"bar {kind}", style=width) if count else None
    return tag("span", tag("span", count or "·", class_="count"), bar, class_="cell")
