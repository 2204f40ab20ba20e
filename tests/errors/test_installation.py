"""The command that adds an extra is one that works for how Snellen was installed."""

from __future__ import annotations

import json
import pickle
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import MissingExtraError, UserError, in_section, next_step
from snellen.errors.installation import installation

WHEEL = {"archive_info": {}, "url": "file:///downloads/snellen-0.1.0-py3-none-any.whl"}
TREE = "/users/me/snellen"
EDITABLE = {"dir_info": {"editable": True}, "url": f"file://{TREE}"}
FOLDER = {"dir_info": {}, "url": f"file://{TREE}"}


class Distribution:
    """The metadata of an installed package."""

    def __init__(self, installer: str, source: Any) -> None:
        direct = None if source is None else json.dumps(source)
        self._files = {"INSTALLER": f"{installer}\n", "direct_url.json": direct}

    def read_text(self, name: str) -> str | None:
        return self._files.get(name)


@pytest.mark.parametrize(
    ("installer", "source", "receipt", "here", "command"),
    [
        ("pip", None, "", "/tmp", "pip install 'snellen[torch]'"),
        ("pip", WHEEL, "", "/tmp", "pip install 'snellen[torch]'"),
        ("pip", FOLDER, "", TREE, "pip install 'snellen[torch]'"),
        ("pip", EDITABLE, "", TREE, "pip install -e '.[torch]'"),
        ("pip", EDITABLE, "", "/tmp", f"pip install -e '{TREE}[torch]'"),
        ("conda", None, "conda-meta/history", "/tmp", "pip install 'snellen[torch]'"),
        ("uv", None, "", "/tmp", "uv pip install 'snellen[torch]'"),
        ("uv", EDITABLE, "", TREE, "uv pip install -e '.[torch]'"),
        ("uv", None, "uv-receipt.toml", "/tmp", "uv tool install 'snellen[torch]'"),
        ("uv", EDITABLE, "uv-receipt.toml", TREE, "uv tool install --editable '.[torch]'"),
        (
            "uv",
            WHEEL,
            "uv-receipt.toml",
            "/tmp",
            f"uv tool install 'snellen[torch] @ {WHEEL['url']}'",
        ),
        ("pip", None, "pipx_metadata.json", "/tmp", "pipx install --force 'snellen[torch]'"),
        (
            "pip",
            WHEEL,
            "pipx_metadata.json",
            "/tmp",
            f"pipx install --force 'snellen[torch] @ {WHEEL['url']}'",
        ),
    ],
)
def test_the_command_fits_the_installation(
    installer: str,
    source: Any,
    receipt: str,
    here: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if receipt:
        (tmp_path / receipt).parent.mkdir(exist_ok=True)
        (tmp_path / receipt).touch()
    found = Distribution(installer, source)
    monkeypatch.setattr("snellen.errors.installation.distribution", lambda _: found)
    assert installation(tmp_path).command("torch", Path(here)) == command


def test_a_source_tree_that_is_not_installed_is_installed_editably(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.setattr("snellen.errors.installation.distribution", missing)
    root = Path(__file__).parents[2]
    assert installation(tmp_path).command("torch", root) == "pip install -e '.[torch]'"


def test_the_error_about_a_missing_extra_survives_another_process() -> None:
    error = MissingExtraError("kind: torch", "torch")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_the_innermost_next_step_is_kept_and_one_is_added_where_none_is() -> None:
    for given, expected in (("", "Next: snellen docs outer"), ("inner", "Next: inner")):
        with pytest.raises(UserError) as raised, next_step("snellen docs outer"):
            raise UserError("wrong", next=given)
        assert raised.value.lines == ["wrong", expected]
    with pytest.raises(MissingExtraError) as missing, next_step("snellen docs outer"):
        raise MissingExtraError("kind: torch", "torch")
    assert len(missing.value.lines) == 1, "its own command comes last"


def test_an_error_of_a_section_gets_the_file_that_the_section_is_in() -> None:
    with (
        pytest.raises(UserError, match=r"^a\.yaml: scenes\.path: gone$"),
        in_section("a.yaml: scenes"),
    ):
        raise UserError("scenes.path: gone")
    with pytest.raises(UserError, match=r"^photos: gone$"), in_section("a.yaml: scenes"):
        raise UserError("photos: gone")
