"""A run folder checked: its journal, scenes and files, and its report against the journal."""
