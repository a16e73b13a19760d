"""What lazygen itself needs of the interpreter, kept while a source runs that may replace any of it."""

from __future__ import annotations

import builtins
import sys
import warnings

_BUILTINS = vars(builtins)


class Kept:
    """The state at its making.  `put_back` is called when the source has run, before anything else is."""

    def __init__(self) -> None:
        self.builtins = dict(_BUILTINS)
        self.modules = dict(sys.modules)
        self.finders, self.path, self.filters = list(sys.meta_path), list(sys.path), list(warnings.filters)

    def put_back(self) -> None:
        """Builtins as they were, and modules and finders that are missing.  Uses no builtin before they are back."""
        _BUILTINS.update(self.builtins)
        sys.settrace(None)
        sys.setprofile(None)
        for name, module in self.modules.items():
            sys.modules.setdefault(name, module)
        sys.meta_path += [finder for finder in self.finders if finder not in sys.meta_path]
        sys.path += [folder for folder in self.path if folder not in sys.path]
        warnings.filters[:] = self.filters  # type: ignore[index]
