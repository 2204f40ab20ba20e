"""An image file whose size the annotations list, checked where the image is first read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snellen.errors import UserError
from snellen.scenes.dataset_files import checked_size
from snellen.scenes.problems import InvalidItemError, located
from snellen.scenes.scene import PictureFile, Scene
from snellen.vision.arrays import Image


@dataclass(frozen=True)
class ListedPicture(PictureFile):
    """An image file of a listed size, (height, width); no header is read on opening the data set.

    Another size is an error wherever the image is read: its pixels or its digest.
    """

    listed: tuple[int, int]

    def pixels(self) -> Image:
        """The image, H x W x 3 uint8 RGB, upright, of the listed size."""
        found = super().pixels()
        if found.shape[:2] != self.listed:
            self.check()
        return found

    def digest(self) -> str:
        """BLAKE2 of the file's bytes."""
        self.check()
        return super().digest()

    def check(self) -> None:
        """Raise an error if the file's header gives another size, or is not that of an image."""
        try:
            checked_size(self.path, self.listed)
        except InvalidItemError:
            raise
        except UserError as error:
            raise located(str(self.path), error) from None


def check_listed_sizes(scenes: Iterable[Scene]) -> None:
    """Raise an error for the first scene whose image has another size than the annotations list."""
    for scene in scenes:
        if isinstance(scene.picture, ListedPicture):
            scene.picture.check()
