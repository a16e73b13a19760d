"""The Jinja environment for what is written as a whole.  Templates loop; they do not decide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

_PACKAGE = Path(__file__).resolve().parents[1]


def render(name: str, /, **values: object) -> str:
    """The text of the template `name` with `values`; a value that is missing is an error, never an empty place."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_folder()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Templates do not change while lazygen runs: no look at their times on each use.
        auto_reload=False,
    )


def template_folder() -> Path:
    """Where the templates are: inside the package when it was built as a wheel, beside it in the repository."""
    built = _PACKAGE / "_templates"
    return built if built.is_dir() else _PACKAGE.parent / "templates"
