"""What is said of an exception that a source raises by itself, and what mends it if that can be told."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.tensor import TRACED, Tensor, shape_text
from lazygen.values import replace

_AS_ARGUMENTS = "let the model take what it needs from here as arguments, and give them: --entry 'Net(8)'"


def explain(error: BaseException, place: Place | None, frame: FrameType | None, node: ast.expr | None) -> Diagnostic:
    """The finding for an exception that is not lazygen's own.

    `place`, `frame` and `node` are where it left the source: its innermost frame, and the expression there.
    """
    if isinstance(error, SystemExit):
        return _exit(error, place)
    if isinstance(error, NameError) and _in_lazygen(error):
        return Diagnostic("LZ901", f"tracing failed: {_words(error)}", place)
    if isinstance(error, PermissionError) and error.errno is None:
        what = _words(error).partition(" is refused: ")[0]
        helps = ('keep what changes files or talks to others under `if __name__ == "__main__":`',)
        note = Note("the source is run only to learn its sizes, and may change nothing")
        return Diagnostic("LZ132", f"{what} is refused while the file is traced", place, (note,), helps)
    if isinstance(error, RecursionError):
        return Diagnostic("LZ133", "the definitions call themselves without end", place)
    if isinstance(error, MemoryError):
        return Diagnostic("LZ130", "this needs more memory than the file may have while it is traced", place)
    words = _words(error).partition(". Did you mean ")[0]  # newer Pythons guess, and not all in the same way
    if isinstance(error, TypeError) and words.startswith("super(type, obj): obj") and node is not None:
        return _wrong_super(place, node)
    if isinstance(error, TypeError) and isinstance(node, ast.Call):
        # The stand-in's own classes are no names that a reader knows: say what the source calls.
        words = re.sub(r"^_\w+\.__init__\(\)", f"{ast.unparse(node.func)}()", words)
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return Diagnostic("LZ130", f"this raises {said}", place, helps=tuple(_helps(error, words, frame, node)))


def wrong_input(error: BaseException, made: Callable[[Any], Place | None]) -> Diagnostic | None:
    """The finding for a layer of torch's that is given no tensor; None if the error is another."""
    if not isinstance(error, (AttributeError, TypeError)):
        return None
    layer, given = _innermost_layer(error.__traceback__)
    if layer is None or isinstance(given, Tensor) or made(layer) is None:
        return None
    what = type(given).__name__
    notes: tuple[Note, ...] = ()
    helps = ("give it a tensor",)
    if isinstance(given, (tuple, list)):
        items = ", ".join(shape_text(item.shape) if isinstance(item, Tensor) else type(item).__name__ for item in given)
        notes = (Note(f"it holds {items}"),)
        helps = (f"take the tensor out of the {what} before: a recurrent layer gives its outputs and its state",)
    message = f"{type(layer).__name__} needs a tensor, but a {what} reaches it"
    return Diagnostic("LZ200", message, made(layer), notes, helps)


def _in_lazygen(error: BaseException) -> bool:
    """Whether an exception that no code of lazygen's raises on purpose comes from there all the same."""
    module = [frame.f_globals.get("__name__") for frame in _frames(error.__traceback__)][-1:]
    return str(*module).startswith("lazygen.")


def in_a_library(error: BaseException, frame: FrameType, node: ast.expr) -> Iterable[Note]:
    """What a library says below its first line, and the shapes that it was called with: its own lines help nobody."""
    lines = [line.strip() for line in _all_words(error)[1:4]]
    yield from (Note(line) for line in lines if line)
    for argument in node.args if isinstance(node, ast.Call) else ():
        value = frame.f_locals.get(argument.id) if isinstance(argument, ast.Name) else None
        if isinstance(value, Tensor) and hasattr(value, "_shape"):
            yield Note(f"{ast.unparse(argument)} is {shape_text(value._shape)}")
    for owner, given in list(_running(error.__traceback__))[-1:]:
        code = getattr(type(owner).forward, "__code__", None)
        if isinstance(given, Tensor) and code is not None and code.co_filename not in TRACED:
            yield Note(f"{type(owner).__name__} is given {shape_text(given._shape)}")


def of_a_library(error: BaseException) -> Iterable[Note]:
    """Where in a library an operation failed, which the source called: the line, for who knows the library."""
    frames = [frame for frame in _walked(error.__traceback__) if not _is_ours(frame[0])]
    if not frames or frames[-1][0].f_code.co_filename in TRACED:
        return
    frame, number = frames[-1]
    module, line = frame.f_globals.get("__name__", "?"), linecache.getline(frame.f_code.co_filename, number).strip()
    yield Note(f"it fails in line {number} of {module}: {line}")


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("lazygen.")


def _walked(traceback: TracebackType | None) -> Iterable[tuple[FrameType, int]]:
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next


def _exit(error: BaseException, place: Place | None) -> Diagnostic:
    if any(frame.f_globals.get("__name__") == "argparse" for frame in _frames(error.__traceback__)):
        message = "the model needs a command line of the file's own, which is empty while the file is traced"
        return Diagnostic("LZ131", message, place, helps=("give every argument a default", _AS_ARGUMENTS))
    helps = ('keep what ends the process under `if __name__ == "__main__":`',)
    return Diagnostic("LZ131", "the file ends the process while its definitions run", place, helps=helps)


def _wrong_super(place: Place | None, node: ast.expr) -> Diagnostic:
    """Pythons differ in what they say of `super(Other, self)` in a class that is no `Other`, and in the place."""
    calls = (call for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name))
    call = next((call for call in calls if call.args), None)
    if call is None:
        return Diagnostic("LZ130", "this calls super() with a class that the object is no instance of", place)
    if place is not None and place.line == place.end_line:
        place = replace(place, end_column=place.column + (call.end_col_offset or 0) - call.col_offset)
    message = f"{ast.unparse(call)} names {ast.unparse(call.args[0])}, which this class does not derive from"
    return Diagnostic("LZ130", message, place, helps=("write super(), without arguments",))


def _helps(error: BaseException, words: str, frame: FrameType | None, node: ast.expr | None) -> Iterable[str]:
    name = getattr(error, "name", None)
    keyword = re.search(r"unexpected keyword argument '(\w+)'$", words)
    known: list[str] = []
    if isinstance(error, (AttributeError, NameError)) and isinstance(name, str):
        known = _names(error, frame)
    elif keyword is not None and isinstance(node, ast.Call):
        name, known = keyword[1], _parameters(node.func, frame)
    close = _closest(name, known) if known and name else None
    if close is not None:
        yield f"did you mean {close}?"
    if words.startswith("cannot assign ") and words.endswith("before Module.__init__() call"):
        yield "call super().__init__() before"
    if isinstance(error, OSError) and frame is not None and frame.f_code.co_name == "<module>":
        yield _AS_ARGUMENTS


def _closest(name: str, known: list[str]) -> str | None:
    by_lower = {other.lower(): other for other in known if other != name}
    close = difflib.get_close_matches(name.lower(), by_lower, 1, 0.7)
    return by_lower[close[0]] if close else None


def _names(error: AttributeError | NameError, frame: FrameType | None) -> list[str]:
    """The names that somebody may have meant."""
    if isinstance(error, NameError):
        return [] if frame is None else [*frame.f_locals, *frame.f_globals, *vars(builtins)]
    try:
        known = [str(name) for name in dir(error.obj)]
    except Exception:  # a `__dir__` of the source's own
        known = []
    if isinstance(error.obj, Module):
        known += [*error.obj.__dict__.get("_modules", ()), *error.obj.__dict__.get("_parameters", ())]
    return [name for name in known if not name.startswith("_")]


def _parameters(function: ast.expr, frame: FrameType | None) -> list[str]:
    """The parameters of what a call names, if its name is a plain path."""
    path = ast.unparse(function).split(".")
    if frame is None or not all(part.isidentifier() for part in path):
        return []
    try:
        value = {**frame.f_globals, **frame.f_locals}[path[0]]
        for part in path[1:]:
            value = getattr(value, part)
        return [name for name in inspect.signature(value).parameters if not name.startswith("_")]
    except Exception:  # a name of the source's own may do anything here
        return []


def _words(error: BaseException) -> str:
    """The first line of what an exception says."""
    lines = _all_words(error)
    return lines[0] if lines else ""


def _all_words(error: BaseException) -> list[str]:
    """The lines of what an exception says, whatever its `__str__` does."""
    try:
        return str(error).strip().splitlines()
    except BaseException:
        return []


def _frames(traceback: TracebackType | None) -> Iterable[FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def _innermost_layer(traceback: TracebackType | None) -> tuple[Module | None, Any]:
    """The layer of torch's that was running in the end, and its first argument."""
    owner, given = next(reversed(list(_running(traceback))), (None, None))
    return (owner, given) if type(owner).__module__.startswith("lazygen.symbolic.") else (None, None)


def _running(traceback: TracebackType | None) -> Iterator[tuple[Module, Any]]:
    """The modules that were running, from the outside in, each with its first argument."""
    for frame in _frames(traceback):
        owner, args = frame.f_locals.get("self"), frame.f_locals.get("args")
        if frame.f_code.co_name == "__call__" and isinstance(owner, Module) and isinstance(args, tuple) and args:
            yield owner, args[0]
