-- The journal of one run. Rows depend only on the configuration and the seed, except those of
-- `timing`. A unit's rows are written in one transaction, when the unit ends.

CREATE TABLE run (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL              -- JSON
) STRICT;

CREATE TABLE units (
    number    INTEGER PRIMARY KEY,   -- the unit's place in the method's order
    id        TEXT NOT NULL UNIQUE,
    scene     TEXT NOT NULL,
    status    TEXT NOT NULL CHECK (status IN ('done', 'error')),
    questions INTEGER NOT NULL,
    notes     TEXT NOT NULL          -- JSON, the method's own
) STRICT;

CREATE TABLE cases (
    unit         INTEGER NOT NULL REFERENCES units (number),
    number       INTEGER NOT NULL,   -- the case's place in its unit
    id           TEXT NOT NULL UNIQUE,
    role         TEXT NOT NULL,      -- 'test', 'control:<name>', 'check:<name>', 'part', ...
    status       TEXT NOT NULL       -- failing cases alone are counted
        CHECK (status IN ('holds', 'borderline', 'failing', 'flaky', 'unconfirmed')),
    recipe       TEXT NOT NULL,      -- JSON
    before       INTEGER REFERENCES predictions (number),
    after        INTEGER NOT NULL REFERENCES predictions (number),
    measurements TEXT NOT NULL,      -- JSON
    parent       INTEGER,            -- number of the case it was derived from
    PRIMARY KEY (unit, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE predictions (
    number INTEGER PRIMARY KEY,      -- unit * 2^20 + place in the unit
    value  TEXT NOT NULL             -- JSON
) STRICT;

CREATE TABLE events (
    unit         INTEGER NOT NULL,
    "case"       INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    severity     TEXT NOT NULL,
    label        INTEGER NOT NULL,
    class        TEXT NOT NULL,
    new_label    INTEGER,            -- the new label, if relabelled
    new_class    TEXT,
    margin       REAL NOT NULL,
    iou          REAL,
    score_before REAL,
    score_after  REAL,
    before       INTEGER,            -- index of the object in each prediction
    after        INTEGER,
    x1 REAL, y1 REAL, x2 REAL, y2 REAL,
    solid        TEXT,               -- JSON, x y z length width height yaw in the LiDAR frame
    truth        TEXT,               -- what is known of the object: object, duplicate, phantom, ...
    PRIMARY KEY (unit, "case", number),
    FOREIGN KEY (unit, "case") REFERENCES cases (unit, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE struck (                -- what each finding strikes; findings on one thing are a fault
    unit   INTEGER NOT NULL,
    "case" INTEGER NOT NULL,
    number INTEGER NOT NULL,
    key    TEXT NOT NULL,            -- the kind of thing, by name
    words  TEXT NOT NULL,
    x1 REAL, y1 REAL, x2 REAL, y2 REAL,
    solid  TEXT,                     -- JSON, as of events
    shared INTEGER NOT NULL,         -- 1 if findings of other scenes may strike the same thing
    PRIMARY KEY (unit, "case", number),
    FOREIGN KEY (unit, "case") REFERENCES cases (unit, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE explanations (          -- of findings, by counterfactual questions
    unit     INTEGER NOT NULL,
    "case"   INTEGER NOT NULL,
    cause    TEXT NOT NULL,
    proven   INTEGER NOT NULL,       -- 1 if the counterfactuals rule out other causes
    says     TEXT NOT NULL,          -- the evidence in one sentence
    smallest INTEGER,                -- number of the smallest case that still fails
    PRIMARY KEY (unit, "case"),
    FOREIGN KEY (unit, "case") REFERENCES cases (unit, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE causes (                -- why an explained finding strikes each thing that it strikes
    unit   INTEGER NOT NULL,
    "case" INTEGER NOT NULL,
    target INTEGER NOT NULL,         -- its number in `struck`
    cause  TEXT NOT NULL,
    proven INTEGER NOT NULL,         -- as of explanations, for this thing
    says   TEXT NOT NULL,
    PRIMARY KEY (unit, "case", target),
    FOREIGN KEY (unit, "case", target) REFERENCES struck (unit, "case", number)
) STRICT, WITHOUT ROWID;

CREATE TABLE rungs (                 -- the counterfactual questions of an explanation, in order
    unit     INTEGER NOT NULL,
    "case"   INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    name     TEXT NOT NULL,
    part     INTEGER NOT NULL,       -- number of the counterfactual case
    persists INTEGER NOT NULL,       -- 1 if the failure is still there
    PRIMARY KEY (unit, "case", number),
    FOREIGN KEY (unit, "case") REFERENCES explanations (unit, "case")
) STRICT, WITHOUT ROWID;

CREATE TABLE errors (
    unit    INTEGER PRIMARY KEY REFERENCES units (number),
    stage   TEXT NOT NULL,           -- 'build', 'subject' or 'method'
    kind    TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;

CREATE TABLE timing (
    unit       INTEGER PRIMARY KEY REFERENCES units (number),
    cache_hits INTEGER NOT NULL,
    building   REAL NOT NULL,        -- seconds
    subject    REAL NOT NULL         -- seconds
) STRICT;

CREATE TABLE manifest (              -- the units of the run, when it was started
    unit   TEXT PRIMARY KEY,         -- its id
    number INTEGER NOT NULL,         -- its place in the method's order
    digest TEXT NOT NULL             -- of the scene's pictures, point cloud and annotations
) STRICT, WITHOUT ROWID;

CREATE TABLE checksums (
    unit   INTEGER PRIMARY KEY REFERENCES units (number),
    digest TEXT NOT NULL             -- of the unit's rows in all tables but `timing`
) STRICT;

CREATE VIEW findings AS
    SELECT cases.id, units.scene, cases.unit, cases.number, cases.role, cases.status, cases.recipe,
           (SELECT count(*) FROM events e WHERE e.unit = cases.unit AND e."case" = cases.number)
               AS events,
           (SELECT max(margin) FROM events e WHERE e.unit = cases.unit AND e."case" = cases.number)
               AS margin
    FROM cases JOIN units ON units.number = cases.unit
    WHERE cases.status IN ('failing', 'flaky', 'unconfirmed') AND cases.role = 'test';
