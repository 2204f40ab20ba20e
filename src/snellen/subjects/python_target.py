"""The user's own Python code, loaded by `module:attribute`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from snellen.errors import MissingExtraError, UserError, nearest
from snellen.errors.plain_text import describe_error
from snellen.subjects.fingerprints import file_digest


@dataclass(frozen=True)
class PythonTarget:
    """The value that a target names, and the source files of the user's code behind it.

    current: whether these files are sure to be what is loaded. They are not if another import
    loaded a module, if a file has changed since, and for the script itself, whose state is its own.
    """

    value: Any
    sources: tuple[Path, ...]
    current: bool


_IMPORTED: dict[Path, tuple[ModuleType, str]] = {}
"""The modules that targets have imported, with the digests of their files at that time."""


def load_target(target: str, folder: Path, where: str = "subject.target") -> PythonTarget:
    """The value of `module:attribute`; modules in `folder` take precedence.

    The folder stays at the end of the import path, for later imports of the module.
    """
    module_name, colon, attribute = target.partition(":")
    if not (module_name and colon and attribute):
        raise UserError(
            f"{where}: found '{target}', expected 'module:attribute', such as 'detector:predict' "
            "for the function predict in detector.py beside the configuration"
        )
    before = dict(sys.modules)
    with _first_on_path(folder):
        module = _import_module(module_name, folder, where)
    sources = _sources(module, folder)
    current = [_is_current(path, one, before) for path, one in sources.items()]
    return PythonTarget(
        _attribute(module, attribute, where),
        tuple(sorted(sources)),
        bool(current) and all(current) and module_name != "__main__",
    )


def _is_current(path: Path, module: ModuleType, before: dict[str, ModuleType]) -> bool:
    """Whether a module is what its file says now; those in `before` were loaded before."""
    digest = file_digest(path)
    if before.get(module.__name__) is not module:
        _IMPORTED[path] = module, digest
    known = _IMPORTED.get(path)
    return known is not None and known[0] is module and known[1] == digest


@contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    place = str(folder.resolve())
    sys.path[:] = [place, *(path for path in sys.path if path != place)]
    try:
        yield
    finally:
        sys.path[:] = [*(path for path in sys.path if path != place), place]


def _import_module(name: str, folder: Path, where: str) -> ModuleType:
    _drop_namesake(name.partition(".")[0], folder)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.partition(".")[0] == "maite":
            raise MissingExtraError(f"{where} '{name}'", "maite") from None
        if name == missing or name.startswith(f"{missing}."):
            raise UserError(
                f"{where}: found no module '{missing}' in {folder} or the installed packages"
                f"{nearest(missing, _modules_in(folder))}"
            ) from None
        raise _import_failure(name, error, where) from error
    except (Exception, SystemExit) as error:
        raise _import_failure(name, error, where) from error


def _drop_namesake(name: str, folder: Path) -> None:
    """Unload a module of the same name that an earlier target loaded from another folder."""
    here = [folder / f"{name}.py", folder / name / "__init__.py"]
    loaded = sys.modules.get(name)
    if loaded is None or not any(path.exists() for path in here):
        return
    file = getattr(loaded, "__file__", None)
    if file is None or Path(file).resolve() not in [path.resolve() for path in here]:
        for other in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[other]


def _import_failure(name: str, error: BaseException, where: str) -> UserError:
    return UserError(
        f"{where}: importing the module '{name}' fails: {describe_error(error)}. Correct it.",
        next=f"python -c 'import {name}'",
    )


def _modules_in(folder: Path) -> list[str]:
    return [path.stem for path in folder.glob("*.py")] or ["(no .py files there)"]


def _attribute(module: ModuleType, attribute: str, where: str) -> Any:
    value: Any = module
    for part in attribute.split("."):
        if not hasattr(value, part):
            public = [name for name in dir(value) if not name.startswith("_")]
            raise UserError(
                f"{where}: '{module.__name__}' ({getattr(module, '__file__', 'built in')}) has no "
                f"'{attribute}'{nearest(part, public) if public else ''}"
            )
        value = getattr(value, part)
    return value


def _sources(module: ModuleType, folder: Path) -> dict[Path, ModuleType]:
    """The files of the module, and of modules in its folder or package that it refers to."""
    root = _root(module, folder)
    found: dict[Path, ModuleType] = {}
    waiting = [module]
    while waiting:
        current = waiting.pop()
        file = getattr(current, "__file__", None)
        if file is None or Path(file) in found or not _within(Path(file), root):
            continue
        if not Path(file).is_file():  # such as the <stdin> of a session
            continue
        found[Path(file)] = current
        waiting += [used for used in map(_module_of, vars(current).values()) if used is not None]
    return found


def _module_of(value: object) -> ModuleType | None:
    if isinstance(value, ModuleType):
        return value
    return sys.modules.get(str(getattr(value, "__module__", None)))


def _root(module: ModuleType, folder: Path) -> Path:
    file = Path(getattr(module, "__file__", None) or folder)
    if _within(file, folder):
        return folder
    package = sys.modules.get(module.__name__.partition(".")[0])
    inside = getattr(package, "__path__", None)
    return Path(next(iter(inside))) if inside else file


def _within(file: Path, root: Path) -> bool:
    file, root = file.resolve(), root.resolve()
    return file == root or (
        root in file.parents and "site-packages" not in file.relative_to(root).parts
    )
