"""Subjects in a process of their own: programs in any language, and isolated Python code."""
