"""Commits wait for the disk, and share its syncs."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from snellen.study.data.opened_study import open_study
from snellen.study.data.shared_sync import SharedSync
from snellen.study.trial import Exposure
from tests.study.made_study import begin, made_study, right_answer


def test_an_answer_is_in_the_synced_log_before_it_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_study(tmp_path / "s")
    synced: list[bytes] = []
    sync = os.fsync

    def noted(file: int) -> None:
        sync(file)
        synced.append((folder / "study.sqlite-wal").read_bytes())

    with closing(open_study(folder)) as study:
        code = begin(study)
        trial = study.next_trial(code)
        assert trial is not None
        monkeypatch.setattr(os, "fsync", noted)
        answer = right_answer(study, trial)
        study.record(code, trial.trial, answer, Exposure(), 1.0)
        assert len(synced) == 1
        assert answer.model_dump_json().encode() in synced[-1]
        study.record(code, trial.trial, answer, Exposure(), 1.0)
        assert len(synced) == 1  # a repetition writes nothing


def test_waiting_commits_share_a_sync_and_none_returns_before_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.touch()
    shared, first, going = SharedSync(path), Event(), Event()
    syncs: list[int] = []

    def slow(file: int) -> None:
        syncs.append(file)
        first.set()
        going.wait(10)

    monkeypatch.setattr(os, "fsync", slow)
    with ThreadPoolExecutor(5) as pool:
        early = pool.submit(shared.wait, shared.ticket())
        first.wait(10)
        later = [pool.submit(shared.wait, shared.ticket()) for _ in range(4)]
        assert not early.done()
        going.set()
        for one in (early, *later):
            one.result(10)
    assert len(syncs) == 2
    shared.close()


def test_a_failed_sync_is_an_error_and_the_next_may_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.touch()
    shared = SharedSync(path)

    def broken(file: int) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(os, "fsync", broken)
    ticket = shared.ticket()
    with pytest.raises(OSError, match="gone"):
        shared.wait(ticket)
    monkeypatch.undo()
    shared.wait(ticket)
    shared.close()
