"""Invalid items of a data set: an error, or an entry in the list of skipped items.

The smallest possible item is skipped: one annotation, one scene. A problem of the whole set (a file
that is not COCO, no scene at all) is always an error.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from snellen.errors import UserError
from snellen.scenes.box_checks import Corners, clipped_box, overhang
from snellen.scenes.scene import Skipped

log = logging.getLogger(__name__)

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


class InvalidItemError(UserError):
    """One invalid item. where: file and item. why: what was found and expected."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}. Fix or drop it, or pass --skip-invalid.")
        self.where = where
        self.why = why

    def __reduce__(self) -> tuple[type[InvalidItemError], tuple[str, str]]:
        """What a copy in another process is made from."""
        return type(self), (self.where, self.why)


class Problems:
    """The invalid items found so far; without `skip` the first one raises an error.

    >>> problems = Problems(skip=True)
    >>> with problems.item("val.json: annotation 17"):
    ...     raise InvalidItemError("val.json: annotation 17", "box of width -3")
    >>> problems.skipped
    [Skipped(where='val.json: annotation 17', why='box of width -3')]
    """

    def __init__(self, skip: bool) -> None:
        self.skip = skip
        self.skipped: list[Skipped] = []
        self.overhanging: list[str] = []

    @contextmanager
    def item(self, where: str) -> Iterator[None]:
        """A block that reads one item, and ends early if the item is invalid and skipped.

        where: file and item, prepended to a `UserError` that does not name them.
        """
        try:
            yield
        except UserError as error:
            self._handle(where, error)

    def _handle(self, where: str, error: UserError) -> None:
        self.add(error if isinstance(error, InvalidItemError) else located(where, error))

    def each(
        self, items: Iterable[I], read: Callable[[I], R], where: Callable[[I], object]
    ) -> Iterator[R]:
        """The result of `read` for each valid item, lazily."""
        for item in items:
            try:
                found = read(item)
            except UserError as error:
                self._handle(str(where(item)), error)
            else:
                yield found

    def box(self, box: Sequence[float], size: tuple[int, int] | None, where: str) -> Corners:
        """The box x1 y1 x2 y2 clipped to the image; an error if it is invalid.

        Rounding puts boxes of many data sets up to a pixel over the border; `log_summary` counts
        those that extend further.
        """
        try:
            cut = clipped_box(box, size)
        except UserError as error:
            raise InvalidItemError(where, str(error)) from None
        if cut != tuple(box) and overhang(box, cut) > 1:
            self.overhanging.append(where)
        return cut

    def log_summary(self) -> None:
        """Log how many boxes were clipped and how many items were skipped."""
        if self.overhanging:
            log.warning(
                "%d boxes extend more than a pixel beyond the image and were clipped, first: %s",
                len(self.overhanging),
                self.overhanging[0],
            )
        if self.skipped:
            log.warning(
                "%d invalid items were skipped, first: %s: %s",
                len(self.skipped),
                self.skipped[0].where,
                self.skipped[0].why,
            )

    def add(self, error: InvalidItemError) -> None:
        """Raise the error, or list the item as skipped."""
        if not self.skip:
            raise error
        self.skipped.append(Skipped(error.where, error.why))


def located(where: str, error: UserError) -> InvalidItemError:
    """The error of an item as that of an invalid item. where: file and item."""
    text = str(error).removeprefix(f"{where}: ").rstrip(".")
    return InvalidItemError(where, text)
