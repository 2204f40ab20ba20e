"""Links for recruiting sites, and the completion codes by which finished participants are paid."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from snellen.study.data.design_rows import read_design
from snellen.study.data.participant_rows import pseudonym
from snellen.study.data.study_file import readable_study
from snellen.study.exports.csv_text import csv_text
from snellen.study.trial import Stage

SITES = {
    "prolific": {
        "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
        "STUDY_ID": "{{%STUDY_ID%}}",
        "SESSION_ID": "{{%SESSION_ID%}}",
    },
    "mturk": {
        "workerId": "${workerId}",
        "assignmentId": "${assignmentId}",
        "hitId": "${hitId}",
    },
}
"""What each site puts into a link, by the name of the parameter."""
EVERYONE = "each participant's own"


def link_files(folder: Path, address: str, *, recruiting: bool) -> dict[str, bytes]:
    """The files by name: links for each site, and a completion code for each participant.

    address: where the study is served. recruiting: whether the ids that the site passed are
    written beside the codes, as far as the study keeps them.
    """
    with readable_study(folder) as db:
        options = read_design(db).options.recruiting
        rows = db.execute(
            "SELECT number, completion, stage FROM participant ORDER BY number"
        ).fetchall()
        passed = db.execute("SELECT participant, key, value FROM recruiting").fetchall()
    links = [
        (site, _entry(address, site, options.keep), options.link, options.code or EVERYONE)
        for site in SITES
    ]
    known = {(number, key): value for number, key, value in passed}
    keys = options.keep if recruiting else ()
    codes = [
        (
            pseudonym(number),
            completion if stage == Stage.FINISHED else "",
            stage,
            *(known.get((number, key), "") for key in keys),
        )
        for number, completion, stage in rows
    ]
    return {
        "links.csv": csv_text(("site", "study_link", "completion_link", "code"), links),
        "completions.csv": csv_text(("participant", "completion_code", "stage", *keys), codes),
    }


def _entry(address: str, site: str, keep: tuple[str, ...]) -> str:
    """The link to enter at a site, with the parameters that the study keeps."""
    wanted = [f"{quote(key)}={value}" for key, value in SITES[site].items() if key in keep]
    start = address.rstrip("/") + "/"
    return f"{start}?{'&'.join(wanted)}" if wanted else start
