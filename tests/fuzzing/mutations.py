"""Damage to files: of their bytes, of their words, and of the values in their structure."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any
from xml.etree import ElementTree

DIGITS_401, DIGITS_5000 = "9" * 401, "9" * 5000
LONG_NAME = "n" * 300
WORDS: tuple[str, ...] = (
    "", " ", "0", "1", "-1", "-0", "2", "3", "7", "255", "256", "65536", "2147483647",
    "4294967296", "9223372036854775808", "-9223372036854775809", DIGITS_401, f"-{DIGITS_401}",
    DIGITS_5000, "0x" + "f" * 5000, "0.5", "1e-320", "1e38", "1e39", "1e308", "-1e308", "1e309",
    "1e400", "inf", "-inf", "nan", "NaN", "Infinity", ".inf", ".nan", "²", "²1", "1²", "٣", "½",
    "1_000", "0b1", "0o7", "1:30:59", "2001-99-99", "2001-01-01", "true", "null", "~", "None",
    "[]", "{}", "[[]]", '""', "''", "\0", "a\0b", "\x1b[31m", "\u2028", "\ufeff", "ä", "\ud7ff",
    "💥", "../nothing", ".", "/dev/null", "/etc/passwd", LONG_NAME, f"{LONG_NAME}.png",
    "n" * 5000, "%s%n", "${HOME}", "<", ">", "&amp;", "&x;", "]]>", "<!--", "'", '"', "\\", "\t",
    "\r", "\n", "\r\n", "#", ";", ",", ":", "=", "-", "--", "*", "&a", "*a",
    "!!python/object:os.system", "!!int x", "!!float x", "!!bool x", "!!timestamp x", "!!binary x",
    "!!set {a}", "<<: *a", "? [a]", "|", ">", "%YAML 9.9", "---", "...", "[" * 100_000,
    "[" * 2_000 + "]" * 2_000, "{\"a\":" * 5_000, "- " * 3_000, "(" * 3_000,
)  # fmt: skip
"""What has crashed readers, ours and others'."""

DEEP: Any = None
for _ in range(150):
    DEEP = [DEEP]

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 0.5, -0.5, 1e-320, 1e38, 1e39, 1e308, -1e308, float("inf"),
    float("-inf"), float("nan"), 2**31, 2**32, 2**63, -(2**63) - 1, 2**64, 10**18, 10**300, 10**401,
    -(10**401), 10**4299, "", " ", "a", "0", "-1", "²1", "٣", "nan", "inf", "\0", "a\0b", "\ud800",
    "\udc80", "\u2028", "💥", "../x", "/etc/passwd", LONG_NAME, f"{LONG_NAME}.png", "x" * 100_000,
    DIGITS_401, [], {}, [[]], [None], [{}], {"": None}, {"a": {}}, [1, 2, 3, 4], [0, 0, 0, 0],
    [1e308] * 6, [10**401] * 6, [float("inf")] * 4, DEEP, {"counts": [], "size": []},
    {"counts": "\ud800", "size": [1, 1]}, {"counts": [2**32, 1], "size": [24, 32]}, "[" * 2_000,
)  # fmt: skip
"""Values in the place of others."""


def damage_bytes(chance: random.Random, data: bytes) -> bytes:
    """Some bytes changed, inserted, removed, repeated or moved."""
    at = chance.randrange(len(data) + 1)
    upto = min(len(data), at + chance.choice((1, 1, 2, 4, 16, 64, 256)))
    kind = chance.randrange(8)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[upto:]
    if kind == 2:
        return data[:at] + chance.randbytes(upto - at) + data[upto:]
    if kind == 3:
        return data[:at] + chance.randbytes(chance.choice((1, 2, 4, 8))) + data[at:]
    if kind == 4:
        return data[:upto] + data[at:upto] * chance.choice((1, 2, 50)) + data[upto:]
    if kind == 5 and data:
        at = min(at, len(data) - 1)
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    if kind == 6:
        fill = chance.choice((b"\0", b"\xff", b"\x7f", b"\x80"))
        return data[:at] + fill * (upto - at) + data[upto:]
    word = chance.choice(WORDS).encode()
    return data[:at] + word + data[chance.choice((at, upto)) :]


def damage_words(chance: random.Random, data: bytes) -> bytes:
    """One word of a text replaced, removed, repeated or swapped with another."""
    words = list(re.finditer(rb"[^\s,;:=<>\[\]{}()\"']+", data))
    if not words:
        return chance.choice(WORDS).encode()
    one, other = chance.choice(words), chance.choice(words)
    new = chance.choice((chance.choice(WORDS).encode(),) * 3 + (b"", other[0], one[0] + one[0]))
    return data[: one.start()] + new + data[one.end() :]


def damage_lines(chance: random.Random, data: bytes) -> bytes:
    """One line of a text removed, repeated, moved or replaced."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at:at] = [lines[at]] * chance.choice((1, 2, 30))
    elif kind == 2:
        lines.insert(chance.randrange(len(lines)), lines.pop(at))
    else:
        lines[at] = chance.choice(WORDS).encode()
    return b"\n".join(lines)


def damage_json(chance: random.Random, data: bytes) -> bytes:
    """One value of a JSON text replaced, removed, repeated, renamed or wrapped."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return damage_bytes(chance, data)
    return json.dumps(damaged_value(chance, tree)).encode()


def damaged_value(chance: random.Random, tree: Any) -> Any:
    """A tree of plain values with one of them changed."""
    places = list(_places(tree))
    if not places:
        return chance.choice(VALUES)
    parent, key = chance.choice(places)
    kind = chance.randrange(10)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent[key:key] = [parent[key]] * chance.choice((1, 3))
    elif kind == 1:
        parent[chance.choice(WORDS[:60])] = parent.pop(key)
    elif kind == 2:
        parent[key] = chance.choice(([parent[key]], {"a": parent[key]}, str(parent[key])))
    elif kind == 3:
        other, place = chance.choice(places)
        with_copy = json.loads(json.dumps(other[place]))
        parent[key] = with_copy
    else:
        parent[key] = chance.choice(VALUES)
    return tree


def _places(tree: Any) -> Any:
    keys = tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def damage_xml(chance: random.Random, data: bytes) -> bytes:
    """One element of an XML text with another text or tag, removed, repeated or moved."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return damage_bytes(chance, data)
    nodes = list(root.iter())
    node, other = chance.choice(nodes), chance.choice(nodes)
    kind = chance.randrange(5)
    if kind == 0:
        node.clear()
    elif kind == 1 and len(node):
        node.extend([chance.choice(list(node))] * chance.choice((1, 5)))
    elif kind == 2:
        node.tag = other.tag
    elif kind == 3:
        node.append(ElementTree.Element(other.tag))
    else:
        node.text = "".join(re.findall(r"[\t\n\r -\ud7ff\ue000-\ufffd]", chance.choice(WORDS)))
    return ElementTree.tostring(root)


def damage_sqlite(chance: random.Random, data: bytes) -> bytes:
    """One value of an SQLite file replaced, or the rows of a table removed, or the table."""
    try:
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(data[:18] + b"\1\1" + data[20:])  # without a write-ahead log
            _damage_table(chance, db)
            db.commit()
            return db.serialize()
    except (sqlite3.Error, OverflowError, UnicodeError, ValueError):
        return damage_bytes(chance, data)


def _damage_table(chance: random.Random, db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = OFF")
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    if not tables:
        return
    table = chance.choice(tables)
    kind = chance.randrange(20)
    if kind == 0:
        db.execute(f'DROP TABLE "{table}"')
        return
    if kind == 1:
        db.execute(f'DELETE FROM "{table}"')
        return
    columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
    rows = db.execute(f'SELECT rowid, * FROM "{table}"').fetchall()
    if not rows:
        return
    row, column = chance.choice(rows), chance.randrange(len(columns))
    value = _cell(chance, row[1 + column])
    db.execute(
        f'UPDATE OR IGNORE "{table}" SET "{columns[column]}" = ? WHERE rowid = ?', (value, row[0])
    )


def _cell(chance: random.Random, value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("[", "{", '"') and chance.random() < 0.7:
        return damage_json(chance, value.encode()).decode()
    if chance.random() < 0.1:
        return chance.randbytes(8)
    plain = [one for one in VALUES if isinstance(one, str | int | float | None)]
    return chance.choice(plain)


TEXT: Sequence[Callable[[random.Random, bytes], bytes]] = (
    damage_words, damage_words, damage_lines, damage_bytes,
)  # fmt: skip
JSON: Sequence[Callable[[random.Random, bytes], bytes]] = (
    damage_json, damage_json, damage_json, damage_words, damage_bytes,
)  # fmt: skip
XML: Sequence[Callable[[random.Random, bytes], bytes]] = (
    damage_xml, damage_xml, damage_words, damage_bytes,
)  # fmt: skip
SQLITE: Sequence[Callable[[random.Random, bytes], bytes]] = (
    damage_sqlite, damage_sqlite, damage_sqlite, damage_bytes,
)  # fmt: skip
BINARY: Sequence[Callable[[random.Random, bytes], bytes]] = (damage_bytes,)
