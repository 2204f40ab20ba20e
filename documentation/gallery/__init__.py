"""The gallery of findings: made by the tool, pictures and page alike."""
