"""From answers to right and wrong, by subtask."""
