"""Simulated studies: does the interval cover, and what does adaptive placement save?"""
