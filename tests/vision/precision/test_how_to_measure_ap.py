from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "measure-ap.md"


def test_the_page_on_ap_does_what_it_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 8
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
