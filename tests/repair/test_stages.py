"""A stage is done once; what was cut goes on; what changed is done again."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.repair.stages import RepairStage, Stages


class Work:
    """Writes `result` in two steps, and is cut after the first if so wished."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls, self.found = folder, 0, [""]

    def __call__(self, cut: bool = False, text: str = "whole") -> dict[str, int]:
        self.calls += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        half = self.folder / "half"
        self.found.append(half.read_text() if half.exists() else "")
        half.write_text("half")
        if cut:
            raise KeyboardInterrupt
        (self.folder / "result").write_text(text)
        return {"length": len(text)}


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path / "place")


def stage(work: Work, key: str = "k") -> RepairStage:
    return RepairStage("one", work.folder, key, unchanged=("res*",), required=("half",))


def test_what_is_done_is_not_done_again(tmp_path: Path, work: Work) -> None:
    for _ in range(3):
        assert Stages(tmp_path).run(stage(work), work) == {"length": 5}
    assert work.calls == 1


def test_interrupted_work_resumes_with_what_it_left(tmp_path: Path, work: Work) -> None:
    with pytest.raises(KeyboardInterrupt):
        Stages(tmp_path).run(stage(work), lambda: work(cut=True))
    assert Stages(tmp_path).done(stage(work)) is None
    Stages(tmp_path).run(stage(work), work)
    assert work.found[-1] == "half"


def test_what_was_cut_for_another_key_is_thrown_away(tmp_path: Path, work: Work) -> None:
    with pytest.raises(KeyboardInterrupt):
        Stages(tmp_path).run(stage(work), lambda: work(cut=True))
    Stages(tmp_path).run(stage(work, "other"), work)
    assert work.found[-1] == ""


@pytest.mark.parametrize("harm", ["changed", "removed", "another", "needed"])
def test_a_result_that_is_not_as_it_was_is_made_again(
    tmp_path: Path, work: Work, harm: str
) -> None:
    Stages(tmp_path).run(stage(work), work)
    result = work.folder / "result"
    if harm == "changed":
        result.write_text("forged")
    elif harm == "another":
        (work.folder / "result2").write_text("forged")
    else:
        (result if harm == "removed" else work.folder / "half").unlink()
    Stages(tmp_path).run(stage(work), work)
    assert work.calls == 2
    assert work.found[-1] == "", "made again from nothing"
    assert result.read_text() == "whole"


def test_a_damaged_mark_is_no_mark(tmp_path: Path, work: Work) -> None:
    Stages(tmp_path).run(stage(work), work)
    (tmp_path / "stages" / "one.json").write_text("{")
    Stages(tmp_path).run(stage(work), work)
    assert work.calls == 2
