"""A vision task as a sequence of subtasks, each evaluated given those before it."""
