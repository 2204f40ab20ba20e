"""The contract between methods and the engine: questions, answers, cases, verdicts."""
