"""Write docs/reference/covering-sizes.md: sizes of arrays beside the bound and the best known.

Run: python -m documentation.covering_sizes (half a minute of CPU time)
"""

from __future__ import annotations

from pathlib import Path

from snellen.methods.combinations.covering.cover import cover

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "covering-sizes.md"
BY_COVERING = {
    (20, 5, 2): 21, (20, 6, 2): 16, (20, 4, 3): 285, (20, 5, 3): 133, (20, 6, 3): 71,
    (20, 7, 3): 45, (20, 6, 4): 382,
}  # fmt: skip
"""Labels, present and strength, with the smallest covering in the La Jolla Covering Repository."""
STEINER = (
    (26, 6, 3), (28, 4, 3), (26, 4, 3), (34, 4, 3), (38, 4, 3), (50, 4, 3), (50, 8, 3), (65, 5, 3),
    (17, 5, 3), (22, 6, 3), (26, 5, 3), (11, 5, 4), (23, 5, 4), (23, 7, 4), (27, 6, 4), (12, 6, 5),
    (24, 6, 5), (24, 8, 5), (28, 7, 5),
)  # fmt: skip
PAIRS = tuple((n, k, 2) for n in (20, 80, 200) for k in (3, 4))
HEAD = (
    "# Sizes of covering arrays\n\n"
    "Rows of `snellen cover` with effort `normal` and seed 1, each array confirmed complete by the "
    "check, beside the Schönheim bound and the best known size. This page is written by "
    "`python -m documentation.covering_sizes`.\n\n"
    "A *covering* contains each set of labels in some row. An array also shows the combinations "
    "with absent labels, so that the best known covering is a lower limit of what can be expected, "
    "not of what is possible. Sources: **La Jolla**, the La Jolla Covering Repository (D. Gordon); "
    "**design**, a Steiner system, which is on the bound and therefore as small as possible.\n\n"
    "| labels | strength | present | rows | bound | best known covering | source |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)


def main() -> None:
    """Write the page."""
    lines = [_line(*case) for case in (*PAIRS, *BY_COVERING, *STEINER)]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _line(n: int, most: int, strength: int) -> str:
    array = cover(n, strength, most)
    assert array.complete
    rows, known, source = len(array.members), BY_COVERING.get((n, most, strength)), "La Jolla"
    if known is None:
        known = array.bound if rows == array.bound else None
        source = "design" if (n, most, strength) in STEINER else "the bound"
    shown = f"{known:,} | {source}" if known else "not known here | "
    return f"| {n} | {strength} | {most} | {rows:,} | {array.bound:,} | {shown} |"


if __name__ == "__main__":
    main()
