"""What methods and the engine promise each other: questions, answers, cases, verdicts."""
