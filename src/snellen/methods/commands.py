"""The commands that methods add, each imported on first use.

A value is a function with typer's annotations, or a `typer.Typer` for a group of commands. A name
of two words, such as `objects album`, adds a command to a group. Modules of commands import heavy
libraries inside their functions, so that `snellen --help` stays fast.
"""

from __future__ import annotations

from snellen.plugins import Registry

COMMANDS = Registry(
    "command",
    "snellen.commands",
    {
        "insert": "snellen.methods.insertion.commands.insert:insert",
        "insert3d": "snellen.methods.fusion.commands.insert3d:insert3d",
        "corrupt": "snellen.methods.requirements.commands.corrupt:corrupt",
        "visual-change": "snellen.methods.requirements.commands.visual_change:visual_change",
        "cover": "snellen.methods.combinations.commands.cover:cover",
        "thresholds": "snellen.methods.requirements.commands.thresholds:thresholds",
        "requirements": "snellen.methods.requirements.commands.requirements:app",
        "objects validate": "snellen.methods.combinations.commands.objects_validate:validate",
        "objects album": "snellen.methods.combinations.commands.objects_album:album",
    },
)
