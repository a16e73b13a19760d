"""Small sources for tests, written one under the other."""

from __future__ import annotations


def cases(text: str) -> dict[str, str]:
    """The sources in a text, by the title that stands before each after `##`."""
    found = {}
    for block in text.split("## ")[1:]:
        title, _, source = block.partition("\n")
        found[title.strip()] = source.rstrip() + "\n"
    return found
