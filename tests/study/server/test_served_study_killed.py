"""`snellen study serve` on a real study that is killed in the midst of answers, again and again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from http.client import HTTPException
from pathlib import Path

import pytest
from benchmarks.study_load import CONFIG, answer_to

from snellen.study.data.opened_study import open_study
from tests.study.server.visitor import Visitor

SMALL = {"count: 100": "count: 24", "samples: 100": "samples: 24"}
ROUNDS = 4


class Hurried(Visitor):
    """A participant who gives any answer that fits, and sends it again if nothing was said."""

    def answer_all(self) -> None:
        rng = random.Random(len(self.acknowledged))
        try:
            trial = self.ask("GET", "/api/trial")
            while trial is not None:
                for picture in trial["pictures"]:
                    self.fetch(f"/api/picture/{picture['name']}")
                receipt = self.ask("POST", "/api/answer", answer_to(trial, rng))
                self.acknowledged.append(trial["trial"])
                trial = receipt["trial"]
        except (OSError, HTTPException):
            return

    def fetch(self, path: str) -> None:
        self.connection.request("GET", path, headers={"Cookie": self.cookie})
        response = self.connection.getresponse()
        assert response.read()
        assert response.status == 200


@pytest.mark.thorough
def test_no_acknowledged_answer_of_a_real_study_is_lost_or_kept_twice(tmp_path: Path) -> None:
    text = CONFIG + "batch: 6\n"
    for found, put in SMALL.items():
        text = text.replace(found, put)
    (tmp_path / "small.yaml").write_text(text, encoding="utf-8")
    snellen, folder = [sys.executable, "-m", "snellen", "study"], tmp_path / "small"
    subprocess.run([*snellen, "create", tmp_path / "small.yaml"], check=True, capture_output=True)
    acknowledged: Counter[str] = Counter()
    sent = 0
    for _ in range(ROUNDS):
        with subprocess.Popen(
            [*snellen, "serve", folder, "--port", "0", "--json"], stdout=subprocess.PIPE
        ) as server:
            assert server.stdout is not None
            links = json.loads(server.stdout.readline())
            port = int(links["participants"].rstrip("/").rpartition(":")[2])
            people = [Hurried(port) for _ in range(8)]
            for one in people:
                one.start()
            threads = [threading.Thread(target=one.answer_all) for one in people]
            for thread in threads:
                thread.start()
            while sum(len(one.acknowledged) for one in people) < 60:
                time.sleep(0.005)
            server.kill()
            for thread in threads:
                thread.join()
        for one in people:
            acknowledged.update(one.acknowledged)
        sent += len(people)
    study = open_study(folder)
    answers = study.answers(0, 1_000_000)
    study.close()
    kept = Counter(one["trial"] for one in answers)
    assert acknowledged.total() >= 60 * ROUNDS
    assert acknowledged - kept == Counter()
    assert (kept - acknowledged).total() <= sent  # one of each person was under way
    pairs = Counter((one["participant"], one["trial"]) for one in answers)
    assert set(pairs.values()) == {1}
