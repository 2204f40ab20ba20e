"""Kinds from other packages: found, used, and harmless when broken."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.plugins import Registry, installed, reinstall_hint
from snellen.subjects.registry import ADAPTERS


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an installed package that provides two kinds, one of them broken."""
    info = tmp_path / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[snellen.tests]\ngood = thing:ADAPTER\nbroken = thing_broken:ADAPTER\n"
        "[snellen.subjects]\nextra = thing_subject:ADAPTER\nwrong = thing:ADAPTER\n"
    )
    (tmp_path / "thing.py").write_text("ADAPTER = 'an adapter'\n")
    (tmp_path / "thing_subject.py").write_text(
        "from snellen.subjects.registry import ADAPTERS\nADAPTER = ADAPTERS.load('planted')\n"
    )
    (tmp_path / "thing_broken.py").write_text("raise RuntimeError('out of order')\n")
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    yield tmp_path
    installed.cache_clear()


REGISTRY = Registry("thing", "snellen.tests", {"own": "json:loads"})


def test_a_plugin_is_found_and_loaded(packages: Path) -> None:
    assert REGISTRY.kinds() == ["own", "broken", "good"]
    assert REGISTRY.load("good") == "an adapter"
    assert ADAPTERS.load("extra") is ADAPTERS.load("planted")


def test_a_plugin_of_another_type_is_broken(packages: Path) -> None:
    with pytest.raises(UserError, match=r"thing:ADAPTER.*found 'an adapter', expected Adapter"):
        ADAPTERS.load("wrong")
    assert set(ADAPTERS.broken()) == {"wrong"}


def test_all_kinds_but_the_broken_ones_load(packages: Path) -> None:
    assert list(REGISTRY.load_all()) == ["own", "good"]
    assert list(REGISTRY.load_all(own=True)) == ["own"]


def test_an_entry_point_of_snellen_itself_is_its_own(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = next(packages.glob("*.dist-info"))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: snellen\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[snellen.tests]\ngood = thing:ADAPTER\n")
    info.rename(packages / "snellen-1.0.dist-info")
    installed.cache_clear()
    assert list(REGISTRY.load_all(own=True)) == ["own", "good"]


def test_a_broken_plugin_is_reported_and_the_others_work(
    packages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert set(REGISTRY.broken()) == {"broken"}
    assert "out of order" in caplog.text
    assert REGISTRY.load("good") == "an adapter"
    with pytest.raises(UserError, match=r"thing_broken:ADAPTER.*out of order.*Fix or uninstall"):
        REGISTRY.load("broken")


def test_a_builtin_kind_cannot_be_taken_over(packages: Path) -> None:
    import json

    assert REGISTRY.load("own") is json.loads


def test_an_unknown_kind_names_the_nearest() -> None:
    with pytest.raises(UserError, match="unknown thing kind 'onw'; did you mean 'own'"):
        REGISTRY.load("onw")


@pytest.mark.parametrize("metadata", [None, "[console_scripts]\nsnellen = snellen.cli.main:main\n"])
def test_an_installation_without_our_entry_points_asks_for_a_reinstall(
    metadata: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if metadata is not None:
        info = tmp_path / "snellen-0.0.1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: snellen\nVersion: 0.0.1\n")
        (info / "entry_points.txt").write_text(metadata)
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    reinstall_hint.cache_clear()
    try:
        with pytest.raises(UserError, match=r"valid names: own\. .*out of date.*pip install -e \."):
            REGISTRY.check("streets", "scenes.kind")
    finally:
        reinstall_hint.cache_clear()
