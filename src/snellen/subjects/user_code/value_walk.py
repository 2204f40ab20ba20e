"""A walk over a value and all that it refers to, written as bytes in a fixed order."""

from __future__ import annotations

import builtins
import copyreg
import enum
import functools
import hashlib
import importlib.util
import logging
import struct
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any

import numpy as np

from snellen.subjects.user_code.code_names import UNFOLLOWED, global_names, imported_names
from snellen.subjects.user_code.installed_code import installed_version

PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented), range)
REDUCED = ("builtins", "collections", "datetime", "decimal", "fractions", "numpy", "random", "re",
           "uuid", "itertools", "functools", "operator")  # fmt: skip
"""Modules whose objects are made of no more than what pickle would store."""
SKIPPED = frozenset(
    {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__firstlineno__",
     "__static_attributes__", "__annotations__", "__abstractmethods__", "_abc_impl",
     "__orig_bases__", "__parameters__", "__type_params__"}
)  # fmt: skip
MODULE_FACTS = frozenset(
    {"__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__package__", "__path__",
     "__spec__"}
)  # fmt: skip


class OpaqueError(Exception):
    """A value whose content cannot be followed; the message says which."""


class ValueWalk:
    """Writes values to `update`, each with its kind; a value that occurs again by its number."""

    def __init__(self, update: Callable[[bytes], None]) -> None:
        self._update = update
        self._seen: dict[int, tuple[int, Any]] = {}

    def add(self, value: Any) -> None:
        """Write a value; `OpaqueError` if it cannot be followed."""
        if isinstance(value, PLAIN) and type(value).__module__ == "builtins":
            self._text(type(value).__name__, ascii(value))
            return
        if id(value) in self._seen:
            self._text("again", str(self._seen[id(value)][0]))
            return
        self._seen[id(value)] = len(self._seen), value
        for kinds, write in _WRITERS:
            if isinstance(value, kinds):
                write(self, value)
                return
        self._add_object(value)

    def _text(self, *words: str) -> None:
        for word in words:
            data = word.encode("utf-8", "backslashreplace")
            self._update(f"{len(data)}:".encode() + data)

    def _add_each(self, kind: str, values: Any) -> None:
        parts = list(values)
        self._text(kind, str(len(parts)))
        for one in parts:
            self.add(one)

    def _add_mapping(self, kind: str, values: Mapping[Any, Any]) -> None:
        self._add_each(kind, [part for item in values.items() for part in item])

    def _add_sequence(self, value: Any) -> None:
        self._named_type(value, (list, tuple))
        self._add_each("sequence", value)

    def _add_dict(self, value: Any) -> None:
        if type(value).__module__ == "collections":
            self._add_reduced(value)
            return
        self._named_type(value, (dict, types.MappingProxyType))
        self._add_mapping("mapping", value)

    def _add_set(self, value: Any) -> None:
        self._named_type(value, (set, frozenset))
        self._text("set", *sorted(_digest(one) for one in value))

    def _add_bytes(self, value: Any) -> None:
        self._text("bytes", hashlib.blake2b(bytes(value)).hexdigest())

    def _add_array(self, value: Any) -> None:
        if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
            self._add_object(value)
            return
        array = np.asarray(value)
        self._text(type(value).__name__)
        if array.dtype.hasobject:
            self._add_each(f"objects {array.shape}", array.reshape(-1).tolist())
            return
        data = hashlib.blake2b(np.ascontiguousarray(array).tobytes()).hexdigest()
        self._text("array", str(array.dtype.descr), str(array.shape), data)

    def _add_path(self, value: PurePath) -> None:
        self._text("path", str(value))

    def _add_member(self, value: enum.Enum) -> None:
        self._add_each("member", [type(value), value.name, value.value])

    def _add_code(self, value: types.CodeType) -> None:
        shape = (value.co_argcount, value.co_kwonlyargcount, value.co_posonlyargcount)
        self._text("code", str(shape), str(value.co_flags), value.co_code.hex())
        self._text(getattr(value, "co_exceptiontable", b"").hex())
        for names in (value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars):
            self._text(*names)
        self._add_each("constants", value.co_consts)

    def _add_function(self, value: types.FunctionType) -> None:
        version = installed_version(value.__module__ or "")
        if version is None:
            self._add_code(value.__code__)
            self._add_globals(value)
        else:
            self._text("installed", str(value.__module__), value.__qualname__, version)
        self._add_each("defaults", value.__defaults__ or ())
        self._add_mapping("keywords", value.__kwdefaults__ or {})
        self._add_mapping("attributes", vars(value))
        self._add_each("closure", value.__closure__ or ())

    def _add_globals(self, value: types.FunctionType) -> None:
        for name in global_names(value.__code__):
            self._text("global", name)
            if name in value.__globals__:
                self.add(value.__globals__[name])
            elif name in UNFOLLOWED:
                raise OpaqueError(f"'{value.__qualname__}' calls {name}()")
            elif not hasattr(builtins, name):
                self._text("unbound")
        for name in imported_names(value.__code__):
            self._add_import(name, value)

    def _add_import(self, name: str, value: types.FunctionType) -> None:
        try:
            found = sys.modules.get(name) or importlib.util.find_spec(name or ".")
        except (ImportError, ValueError):
            found = None
        version = None if found is None else installed_version(name)
        if isinstance(found, types.ModuleType):
            self.add(found)
        elif version is None:
            raise OpaqueError(f"'{value.__qualname__}' imports '{name}' when it is called")
        else:
            self._text("module", name, version)

    def _add_cell(self, value: types.CellType) -> None:
        try:
            content = value.cell_contents
        except ValueError:
            self._text("empty cell")
            return
        self._text("cell")
        self.add(content)

    def _add_method(self, value: types.MethodType) -> None:
        self._add_each("method", [value.__func__, value.__self__])

    def _add_builtin(self, value: types.BuiltinFunctionType) -> None:
        owner = value.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            self._text("built in", str(value.__module__), value.__qualname__)
            self._text(installed_version(value.__module__ or "builtins") or "")
            return
        self._text("built-in method", value.__name__)
        self.add(owner)

    def _add_partial(self, value: functools.partial[Any]) -> None:
        self._add_each("partial", [value.func, value.args, value.keywords, vars(value)])

    def _add_descriptor(self, value: Any) -> None:
        if isinstance(value, property):
            self._add_each("property", [value.fget, value.fset, value.fdel])
        elif isinstance(value, functools.cached_property):
            self._add_each("cached property", [value.func, value.attrname])
        else:
            self._add_each(type(value).__name__, [value.__func__])

    def _add_cached_function(self, value: Any) -> None:
        self._add_mapping("cached function", vars(value))

    def _add_logger(self, value: logging.Logger) -> None:
        self._text("logger", value.name)

    def _add_module(self, value: types.ModuleType) -> None:
        version = installed_version(value.__name__)
        if version is not None:
            self._text("module", value.__name__, version)
            return
        self._text("own module", value.__name__)
        facts = {key: one for key, one in vars(value).items() if key not in MODULE_FACTS}
        self._add_mapping("namespace", facts)

    def _add_class(self, value: type) -> None:
        version = installed_version(value.__module__)
        if version is not None:
            self._text("class", value.__module__, value.__qualname__, version)
            return
        self._text("own class", value.__qualname__)
        self._add_each("bases", value.__bases__)
        members = {key: one for key, one in vars(value).items() if key not in SKIPPED}
        slots = (types.MemberDescriptorType, types.GetSetDescriptorType)
        self._add_mapping(
            "members", {key: one for key, one in members.items() if not isinstance(one, slots)}
        )

    def _add_object(self, value: Any) -> None:
        kind = type(value)
        if _is_tensor(value):
            self._text("tensor", str(value.dtype), str(value.device))
            self._add_array(value.detach().cpu().numpy())
            return
        if kind.__module__.partition(".")[0] in REDUCED:
            self._add_reduced(value)
            return
        slots = _slots(kind)
        if _has_native_state(kind, len(slots)):
            raise OpaqueError(f"a {kind.__module__}.{kind.__qualname__} cannot be looked into")
        self._text("object")
        self.add(kind)
        self._add_mapping("state", getattr(value, "__dict__", {}))
        for slot in slots:
            self._text("slot", slot.__name__)
            with suppress(AttributeError):
                self.add(slot.__get__(value))

    def _add_reduced(self, value: Any) -> None:
        try:
            registered = copyreg.dispatch_table.get(type(value))
            reduced = registered(value) if registered else value.__reduce_ex__(4)
        except Exception:
            raise OpaqueError(f"a {type(value).__qualname__} cannot be looked into") from None
        if isinstance(reduced, str):
            self._add_installed_name(value, reduced)
            return
        call, given, *rest = reduced
        listed = [list(one) if isinstance(one, Iterator) else one for one in rest]
        self._add_each("reduced", [call, given, *listed])

    def _add_installed_name(self, value: Any, name: str) -> None:
        module = str(getattr(value, "__module__", None) or type(value).__module__)
        version = installed_version(module)
        if version is None or getattr(sys.modules.get(module), name, None) is not value:
            raise OpaqueError(f"a {type(value).__qualname__} cannot be looked into")
        self._text("name", module, name, version)

    def _named_type(self, value: Any, plain: tuple[type, ...]) -> None:
        self._text(type(value).__name__)
        if type(value) not in plain:
            self._text("of class")
            self.add(type(value))
            self._add_mapping("state", getattr(value, "__dict__", {}))


def _digest(value: Any) -> str:
    state = hashlib.blake2b(digest_size=16)
    ValueWalk(state.update).add(value)
    return state.hexdigest()


def _is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _has_native_state(kind: type, slots: int) -> bool:
    """Whether objects of a class hold more than their `__dict__`, slots and weak references."""
    pointers = slots + (kind.__weakrefoffset__ > 0) + (kind.__dictoffset__ > 0)
    known = object.__basicsize__ + struct.calcsize("P") * pointers
    return bool(kind.__itemsize__) or kind.__basicsize__ > known


def _slots(kind: type) -> list[types.MemberDescriptorType]:
    return [
        one
        for base in kind.__mro__
        for one in vars(base).values()
        if isinstance(one, types.MemberDescriptorType)
    ]


_WRITERS: tuple[tuple[Any, Callable[[ValueWalk, Any], None]], ...] = (
    (enum.Enum, ValueWalk._add_member),
    ((bytes, bytearray), ValueWalk._add_bytes),
    (types.CodeType, ValueWalk._add_code),
    (types.FunctionType, ValueWalk._add_function),
    (types.CellType, ValueWalk._add_cell),
    (types.MethodType, ValueWalk._add_method),
    (types.BuiltinFunctionType, ValueWalk._add_builtin),
    (functools.partial, ValueWalk._add_partial),
    ((property, staticmethod, classmethod, functools.cached_property), ValueWalk._add_descriptor),
    (type(functools.lru_cache(ascii)), ValueWalk._add_cached_function),
    (logging.Logger, ValueWalk._add_logger),
    (types.ModuleType, ValueWalk._add_module),
    (type, ValueWalk._add_class),
    ((np.ndarray, np.generic), ValueWalk._add_array),
    (PurePath, ValueWalk._add_path),
    ((list, tuple), ValueWalk._add_sequence),
    ((dict, types.MappingProxyType), ValueWalk._add_dict),
    ((set, frozenset), ValueWalk._add_set),
)
