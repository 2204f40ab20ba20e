"""What retraining sets are told by fusion."""

from __future__ import annotations

import pytest

from snellen.changes.identity import Identity
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.cli.export import _refuse_unlabelled
from snellen.contract.repairs import Repairs, Retrains
from snellen.errors import UserError
from snellen.methods.fusion.repair_support import FusionRetrains

FULL = Insert3D((("car-1", 5.0, 0.0, -1.7, 0.0),), 1)


def test_it_offers_retraining_sets_but_no_repair() -> None:
    assert isinstance(FusionRetrains(), Retrains)
    assert not isinstance(FusionRetrains(), Repairs)


def test_places_are_those_of_tests_that_put_something_in() -> None:
    found = FusionRetrains()
    assert found.insertion("test", FULL) is FULL
    assert found.insertion("control:empty", FULL) is None
    assert found.insertion("test", Insert3D((), 1)) is None
    assert found.insertion("test", Identity()) is None


def test_an_export_as_published_is_refused_where_the_authors_label_what_they_insert() -> None:
    with pytest.raises(UserError, match="publication of method fusion labels them"):
        _refuse_unlabelled("fusion")
    _refuse_unlabelled("insertion")
    _refuse_unlabelled("identity")
