"""Steps from text to text around the passes: before, what makes a source one that they know; behind, places and moves.

Each traces what it wrote and compares it with what it was given, so that no step relies on the last one to find out.
"""
