"""`snellen.api`: every name is there, documented, and imported when it is first used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from snellen import api
from tests.test_registries import HEIGHT

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "api.md"
LISTED = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)


@pytest.mark.parametrize("name", api.__all__)
def test_a_name_is_the_one_of_its_module(name: str) -> None:
    place = vars(api)["_PLACES"][name]
    assert getattr(api, name) is vars(sys.modules[place])[name]


@pytest.mark.parametrize("place", sorted(set(vars(api)["_PLACES"].values())))
def test_a_name_is_taken_from_a_room_below(place: str) -> None:
    assert HEIGHT[place.split(".")[1]] < HEIGHT["api"]


def test_type_checkers_see_what_is_imported_at_run_time() -> None:
    tree = ast.parse(Path(api.__file__).read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        one.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    assert seen == vars(api)["_PLACES"]


def test_every_group_of_names_has_a_comment() -> None:
    lines = Path(api.__file__).read_text(encoding="utf-8").splitlines()
    first = lines.index("_PLACES = {") + 1
    assert lines[first].startswith("    # ")


def test_the_page_lists_every_name_with_a_line() -> None:
    listed = LISTED.findall(PAGE.read_text(encoding="utf-8"))
    assert [name for name, _ in listed] == api.__all__, "in the same order"
    assert all(4 < len(line) < 100 for _, line in listed)


def test_the_page_and_the_module_have_the_same_groups() -> None:
    text = Path(api.__file__).read_text(encoding="utf-8")
    comments = re.findall(r"^    # (.+)\.$", text, re.MULTILINE)
    titles = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert titles == [*comments, "Entry points"]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'snellen\.api' has no attribute 'Nothing'"):
        api.Nothing  # noqa: B018
    assert dir(api) == sorted(api.__all__)


def loaded_by(code: str) -> set[str]:
    """The modules that a Python which runs this code has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_it_loads_nothing_else() -> None:
    loaded = loaded_by("import snellen.api")
    assert {name for name in loaded if name.startswith("snellen.")} == {"snellen.api"}
    assert not loaded & {"numpy", "pydantic", "scipy", "cv2"}


def test_what_a_method_needs_does_not_load_what_draws_pages() -> None:
    loaded = loaded_by("from snellen.api import Method, MethodKind, Question, case_events")
    assert not {name for name in loaded if name.startswith(("snellen.pages", "snellen.store"))}
    assert not loaded & {"scipy", "rich", "torch", "onnxruntime"}


def test_a_room_never_hides_the_function_of_its_name() -> None:
    import snellen as sn

    assert callable(sn.exam)
    import snellen.exam.exam

    assert callable(sn.exam)
