"""A vision task as a sequence of subtasks, each judged given those before it."""
