"""Subjects in a process of their own: the process, its supervision, and Python code in one."""
