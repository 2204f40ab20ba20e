from __future__ import annotations

import logging
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.objects.library.exclusion_file import (
    STRUCK_OUT,
    exclusion_line,
    read_exclusions,
    struck_out,
)
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.open_objects import checked_objects, open_objects
from snellen.objects.library.prune_rules import counts

SCENES = {"kind": "synthetic", "count": 6}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "objects"


@pytest.fixture
def whole() -> FolderLibrary:
    return open_objects(SCENES, Path())


def entries(library: Library) -> list[Entry]:
    return [one for label in library.labels() for one in library.entries(label)]


def opened(folder: Path, text: str, **values: object) -> FolderLibrary:
    (folder / "bad.txt").write_text(text, encoding="utf-8")
    return open_objects({**SCENES, "exclude": "bad.txt", **values}, folder)


def test_only_what_is_struck_out_is_gone_in_every_spelling_of_a_line(
    tmp_path: Path, whole: FolderLibrary
) -> None:
    bad = entries(whole)[:4]
    text = (
        f"\ufeff# looked at by hand\r\n\r\n{bad[0].id}\r\n  {bad[1].id.upper()}  # blurred\r\n"
        f"{bad[2].id[:8]}\r\n{exclusion_line(bad[3])}\r\n{bad[0].id[:7]}"
    )
    view = opened(tmp_path, text)
    assert entries(view) == [one for one in entries(whole) if one not in bad]
    assert {one.id for one in struck_out(view)} == {one.id for one in bad}
    assert struck_out(whole) == ()
    assert view.path == whole.path, "the cached library is not built again"


def test_a_label_without_objects_left_is_no_label(tmp_path: Path, whole: FolderLibrary) -> None:
    label = whole.labels()[0]
    view = opened(tmp_path, "\n".join(one.id for one in whole.entries(label)))
    assert view.labels() == whole.labels()[1:]
    assert view.entries(label) == ()


def test_a_library_in_a_folder_is_read_without_what_is_struck_out(
    tmp_path: Path, whole: FolderLibrary
) -> None:
    bad = entries(whole)[2]
    (tmp_path / "bad.txt").write_text(bad.id)
    values = {"kind": "library", "path": str(whole.path), "exclude": "bad.txt"}
    assert bad not in entries(open_objects(values, tmp_path))


def test_a_struck_object_can_still_be_built_into_an_old_case(
    tmp_path: Path, whole: FolderLibrary
) -> None:
    bad = entries(whole)[0]
    assert opened(tmp_path, bad.id).cutout(bad.id).id == bad.id


def test_the_numbers_still_add_up(tmp_path: Path, whole: FolderLibrary) -> None:
    view = opened(tmp_path, entries(whole)[0].id)
    kept, gone = counts(view.records())
    assert gone[STRUCK_OUT] == 1
    assert sum(kept.values()) + sum(gone.values()) == len(whole.records())
    assert view.co_occurrence() == whole.co_occurrence()


def test_the_view_travels_small_and_stays_without(tmp_path: Path, whole: FolderLibrary) -> None:
    view = opened(tmp_path, "\n".join(one.id for one in entries(whole)[:5]))
    data = pickle.dumps(view)
    assert len(data) < 600
    assert entries(pickle.loads(data)) == entries(view)


def test_how_many_were_struck_out_is_logged(
    tmp_path: Path, whole: FolderLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    label = whole.labels()[0]
    some = whole.entries(label)
    with caplog.at_level(logging.INFO, "snellen.objects.library.exclusion_file"):
        opened(tmp_path, "\n".join(one.id for one in some))
    assert f"{len(some)} objects struck out; none are left of: {label}" in caplog.text


MISTAKES = [
    ("# fine\n\nffffffffffffffff\n", r"bad\.txt: line 3: there is no object 'ffffffffffffffff' in"),
    (
        "{id}\nabc\n",
        r"bad\.txt: line 2: found 'abc', expected an object's id or at least its first",
    ),
    ("car {id}\n", r"line 1: found 'car .* Comments start with '#'"),
    ("{id}0\n", r"line 1: there is no object"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_line_that_strikes_nothing_out_is_a_mistake_with_its_number(
    text: str, message: str, tmp_path: Path, whole: FolderLibrary
) -> None:
    with pytest.raises(UserError, match=message):
        opened(tmp_path, text.format(id=entries(whole)[0].id))


def test_files_that_cannot_be_used_are_reported(tmp_path: Path, whole: FolderLibrary) -> None:
    with pytest.raises(UserError, match=r"none\.txt: no such file\. .* validate"):
        open_objects({**SCENES, "exclude": "none.txt"}, tmp_path)
    (tmp_path / "pixels.txt").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(UserError, match=r"pixels\.txt: cannot be read as text"):
        open_objects({**SCENES, "exclude": "pixels.txt"}, tmp_path)
    with pytest.raises(UserError, match=r"objects\.exclude: .*strikes out all \d+ objects"):
        opened(tmp_path, "\n".join(one.id for one in entries(whole)))


class Given(FolderLibrary):
    """A library of these ids; only the first half is kept, the others were pruned."""

    def __init__(self, ids: list[str]) -> None:
        self.path = Path("given")
        self._all = [Entry(id, "car", 1, 1, 1, 0) for id in ids]

    def labels(self) -> tuple[str, ...]:
        return ("car",)

    def entries(self, label: str) -> tuple[Entry, ...]:
        return tuple(self._all[: (len(self._all) + 1) // 2])

    def records(self) -> list:
        from types import SimpleNamespace

        return [SimpleNamespace(entry=one) for one in self._all]


def test_a_prefix_of_two_objects_is_not_guessed(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    ids = ["abcdef1000000000", "abcdef2000000000", "abcdef3000000000"]
    file.write_text("abcdef")
    with pytest.raises(UserError, match=r"line 1: 'abcdef' matches 2 objects, .* more digits"):
        read_exclusions(file, Given(ids))
    file.write_text("abcdef1\n")
    assert read_exclusions(file, Given(ids)) == (ids[0],)


def test_an_object_that_was_pruned_since_is_no_mistake(tmp_path: Path) -> None:
    ids = ["aaaaaa1000000000", "bbbbbb2000000000"]
    (tmp_path / "bad.txt").write_text("bbbbbb2000000000\nbbbbbb2\n")
    assert read_exclusions(tmp_path / "bad.txt", Given(ids)) == (ids[1],)


@given(st.lists(st.text("0123456789abcdef", min_size=16, max_size=16), unique=True, min_size=1))
def test_what_a_page_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str]
) -> None:
    file = tmp_path_factory.getbasetemp() / "written.txt"
    text = "\n".join(exclusion_line(Entry(id, "a # b\nc", 1, 1, 1, 0, "", "x\ry")) for id in ids)
    file.write_text(text)
    assert read_exclusions(file, Given(ids)) == tuple(ids)


def test_the_options_say_exclude_only_where_it_is_given() -> None:
    assert "exclude" not in checked_objects(SCENES, "objects")
    assert "exclude" not in checked_objects({"kind": "library", "path": "x"}, "objects")
    filled = checked_objects({**SCENES, "exclude": "bad.txt"}, "objects")
    assert filled["exclude"] == "bad.txt"
    assert checked_objects(filled, "objects") == filled
