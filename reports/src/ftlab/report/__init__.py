"""Turns the result files of ftlab into one self-contained HTML page and static SVG figures.

Knows the documented files (docs/results.md) and nothing of the simulator; links to nothing, fetches nothing.
"""
