"""The tables of a study.

A participant's code stands in `participant` alone; everything else refers to a number. Answers are
append-only: a trigger refuses every update, and every deletion but that of a participant who is
being removed. What a recruiting site passed stands in a table of its own.
"""

from __future__ import annotations

import sqlite3

SCHEMA = 1
APPLICATION = 0x536E6C53
"""`PRAGMA application_id`, by which the file is recognised: `SnlS`."""

_DESIGN = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE sample (
  number INTEGER PRIMARY KEY,
  sample TEXT NOT NULL UNIQUE,
  scene TEXT NOT NULL,
  transformation TEXT NOT NULL,
  level REAL,
  delta_v REAL NOT NULL CHECK (delta_v BETWEEN 0 AND 1),
  recipe TEXT NOT NULL CHECK (json_valid(recipe)),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0)
) STRICT;
CREATE TABLE mask (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0)
) STRICT;
CREATE TABLE object (
  number INTEGER PRIMARY KEY,
  scene TEXT NOT NULL,
  object TEXT NOT NULL CHECK (json_valid(object))
) STRICT;
CREATE TABLE trial (
  number INTEGER PRIMARY KEY,
  trial TEXT NOT NULL UNIQUE,
  slot INTEGER,
  parent TEXT,
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
"""

_PEOPLE = """
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  running INTEGER NOT NULL CHECK (running IN (0, 1))
) STRICT;
INSERT INTO state VALUES (1, 1);
CREATE TABLE participant (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (length(code) >= 22),
  completion TEXT NOT NULL,
  stage TEXT NOT NULL,
  enrolled REAL NOT NULL,
  active REAL NOT NULL
) STRICT;
CREATE TABLE recruiting (
  participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (participant, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE seat (
  participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  place INTEGER NOT NULL CHECK (place >= 0),
  task TEXT NOT NULL,
  batch INTEGER,
  PRIMARY KEY (participant, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE deal (
  participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE,
  place INTEGER NOT NULL CHECK (place >= 0),
  trial INTEGER NOT NULL REFERENCES trial,
  seat INTEGER,
  answered INTEGER NOT NULL DEFAULT 0 CHECK (answered IN (0, 1)),
  PRIMARY KEY (participant, place),
  UNIQUE (participant, trial)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  participant INTEGER NOT NULL REFERENCES participant,
  place INTEGER NOT NULL CHECK (place >= 0),
  trial INTEGER NOT NULL REFERENCES trial,
  answer TEXT NOT NULL CHECK (json_valid(answer)),
  shown_ms REAL,
  frame_ms REAL,
  hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  response_ms REAL NOT NULL CHECK (response_ms >= 0),
  received REAL NOT NULL,
  UNIQUE (participant, trial),
  UNIQUE (participant, place)
) STRICT;
CREATE TABLE removal (participant INTEGER PRIMARY KEY) STRICT;
CREATE TABLE deletion (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL,
  scrubbed INTEGER NOT NULL DEFAULT 0 CHECK (scrubbed IN (0, 1))
) STRICT;
CREATE TRIGGER answer_is_final BEFORE UPDATE ON answer
BEGIN SELECT RAISE(ABORT, 'answers are append-only'); END;
CREATE TRIGGER answer_is_kept BEFORE DELETE ON answer
WHEN NOT EXISTS (SELECT 1 FROM removal WHERE removal.participant = OLD.participant)
BEGIN SELECT RAISE(ABORT, 'answers are append-only'); END;
CREATE TRIGGER answer_is_not_replaced BEFORE INSERT ON answer
WHEN EXISTS (
  SELECT 1 FROM answer WHERE answer.number = NEW.number OR (
    answer.participant = NEW.participant
    AND (answer.trial = NEW.trial OR answer.place = NEW.place)
  )
)
BEGIN SELECT RAISE(ABORT, 'answers are append-only'); END;
CREATE TRIGGER design_is_final BEFORE UPDATE ON trial
BEGIN SELECT RAISE(ABORT, 'the design of a study is fixed'); END;
CREATE TRIGGER design_is_kept BEFORE DELETE ON trial
BEGIN SELECT RAISE(ABORT, 'the design of a study is fixed'); END;
CREATE TRIGGER sample_is_final BEFORE UPDATE ON sample
BEGIN SELECT RAISE(ABORT, 'the design of a study is fixed'); END;
CREATE TRIGGER sample_is_kept BEFORE DELETE ON sample
BEGIN SELECT RAISE(ABORT, 'the design of a study is fixed'); END;
"""


def create_tables(db: sqlite3.Connection) -> None:
    """Create the tables of a study in an empty database."""
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    db.execute("PRAGMA secure_delete = ON")
    db.executescript(_DESIGN + _PEOPLE)
