"""Findings of methods that explain nothing."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.report.finding_explanation import explain
from snellen.store.findings import findings
from snellen.store.journal import journal_of


def test_a_method_that_asks_no_counterfactual_questions_says_so(run_folder: Any) -> None:
    folder = run_folder("identity")
    with closing(journal_of(folder)) as journal:
        id = findings(journal)[0].id
    with pytest.raises(UserError, match=f"asks no counterfactual.* snellen replay .* {id}"):
        explain(folder, id)
