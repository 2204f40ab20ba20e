"""Write the generated reference pages to `docs/reference`."""

from __future__ import annotations

from pathlib import Path

from documentation.reference.pages import reference_pages

FOLDER = Path(__file__).parents[2] / "docs" / "reference"


def main() -> None:
    """Write every page."""
    for name, text in reference_pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"docs/reference/{name}")


if __name__ == "__main__":
    main()
