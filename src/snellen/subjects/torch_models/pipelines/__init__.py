"""Hugging Face `transformers` pipelines as subjects. Needs extra `transformers`."""
