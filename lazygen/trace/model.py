"""What a trace tells: every lazy layer with where it was made and what its sizes are, every model with its parameters.

The parts are frozen and are pickled back from the traced process.  `show()` prints a trace as text, which fixtures
hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from lazygen.diagnostics import Diagnostic, Place
from lazygen.settings import Input
from lazygen.symbolic.atoms import FloorDiv, Symbol
from lazygen.symbolic.equalities import Equality
from lazygen.symbolic.expr import Expr
from lazygen.values import value

Call = Literal["call", "partial", "indirect"]
Treatment = Literal["followed", "recorded", "checked"]
"""What a run does about devices: see `placing.py`."""


@value
class Reachable:
    """Something that a scope's text can say: `text` gives a size (`expr`) or an object that holds sizes (`owner`, a
    token).
    """

    text: str
    expr: Expr | None = None
    owner: int = 0


@value
class Iteration:
    """How often a loop around a call had gone round: `index` from 0; `entry` tells one run of the loop from another."""

    loop: Place
    index: int
    entry: int


@value
class Detour:
    """How a call came to run what it does not call itself.

    `modules` are those of the code in between, innermost first; none of it is the source's.  `keywords` says that all
    of it hands its keywords on, `position` which of the call's positional arguments arrives as the first; None if none
    does.  `references` are the expressions inside the call that are what ran.
    """

    modules: tuple[str, ...]
    keywords: bool
    position: int | None
    references: tuple[Place, ...]


@value
class Frame:
    """One run of a function on the way to a layer: its text, its token, the call it was at, and what it could say
    there.

    `values` are its names that hold plain numbers, texts or sequences of such, with what they held.  `how` says what
    the call calls: the function of the frame further in, a `partial` of it with `given` positional arguments, or
    something else that led to it, by a `detour`.  For a call `given` is 1 if it gives a method its object itself.
    """

    scope: Place
    name: str
    token: int
    call: Place
    loops: tuple[Iteration, ...]
    reachable: tuple[Reachable, ...]
    values: tuple[tuple[str, Any], ...]
    how: Call = "call"
    given: int = 0
    detour: Detour | None = None


@value
class LazyLayer:
    """A lazy layer: `frames[0]` made it, the others led there.  `sizes` are empty if no call reached it.

    `how` says what the call at the site calls: the class (by whatever name), a `partial` of it (with `given`
    positional arguments), or something else that made it (`map`, a registry).  `unbatched` says that the size is the
    first of its input.  `flags` are the values of arguments whose defaults differ between the lazy and the plain
    class.  `place` is the number of the plain class's parameter for the first size.  `copied` says that this is a copy
    of the layer that was made there.
    """

    kind: str
    plain: str
    frames: tuple[Frame, ...]
    how: Call
    given: int
    sizes: tuple[tuple[str, Expr], ...]
    wanted: tuple[str, ...]
    names: tuple[str, ...]
    reached: Place | None
    training_only: bool
    unbatched: bool
    flags: tuple[tuple[str, bool], ...]
    place: int = 0
    copied: bool = False

    @property
    def site(self) -> Place:
        """The call that made the layer."""
        return self.frames[0].call


@value
class Variable:
    """An argument of an entry that other values can be tried for: `width`, `cfg.depth`; ints, bools or tuples of
    ints.
    """

    path: str
    value: Any


@value
class Variation:
    """Another value for an argument of the entry, and for others that only change together with it."""

    path: str
    value: Any
    others: tuple[tuple[str, Any], ...] = ()


class Stored(NamedTuple):
    """A parameter or buffer of a model: its name, sizes, dtype (`float32`) and device (`cuda:0`)."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    device: str


@value
class ModelTrace:
    """One model that was run: the parameters and buffers of its state_dict, and its result's shapes and dtypes.

    `maker` is the name of the class or function that built it, empty if the module holds it ready.  `made` tells its
    modules by name, each with the call that made it, for sources that may hold graphs; `called` tells in which order
    they were called first, and `graph` which of the trace's graphs the model is, -1 if none; `kinds` are
    the classes of its modules, if they are asked for.
    """

    entry: str
    maker: str
    state: tuple[Stored, ...]
    result: Any
    variables: tuple[Variable, ...]
    lazy_left: tuple[str, ...]
    made: tuple[tuple[str, Place], ...] = ()
    called: tuple[tuple[str, int], ...] = ()
    graph: int = -1
    kinds: tuple[tuple[str, str], ...] = ()


@value
class Noted:
    """A call that torch writes in another way: `list`, `add` and `add list` of a container of layers, `build`,
    `graph`.
    """

    what: str
    call: Place


@value
class Leaf:
    """A tensor that goes into a graph or comes out of it: its shape for people, and as an input."""

    text: str
    input: Input


@value
class GraphTrace:
    """A `Functional` model: the call that made it, and its Leafs nested as its inputs and outputs are."""

    call: Place
    inputs: Any
    outputs: Any


@value
class ScopeSeen:
    """A device scope that was entered: the call that made it, the devices it names, what it was given (`number`,
    `text`, `gpu`, `several`, `odd`, `all`, `cpu`, `none`, `device`), and the scope around it at that moment.
    """

    call: Place
    devices: tuple[str, ...]
    given: str
    outer: Place | None


@value
class Brought:
    """A call by which a module came to a scope: as it was called (`call`) or wrapped for several devices (`wrap`); with
    what changed by that.
    """

    call: Place
    what: str
    device: bool
    dtype: bool


@value
class MadeInScope:
    """A call inside of a scope that made modules: their classes by their paths in torch, empty for one of elsewhere.

    `stays` says that all of them stand on the scope's device after the run.
    """

    call: Place
    kinds: tuple[str, ...]
    stays: bool


@value
class BuiltInScope:
    """A call that made a layer outside of all scopes, and the scope in which its first call built it."""

    call: Place
    scope: Place


@value
class Placements:
    """What device scopes did in a run.  `kept` are calls that made a tensor like another one that is not floating."""

    scopes: tuple[ScopeSeen, ...] = ()
    brought: tuple[Brought, ...] = ()
    made: tuple[MadeInScope, ...] = ()
    built: tuple[BuiltInScope, ...] = ()
    kept: frozenset[Place] = frozenset()


@value
class Crossing:
    """A tensor that comes to another, or to a layer, in all runs of a place.

    `operand` is the expression that gives it, or the elements of which do (`form`; `row` is a Sequential among whose
    members it goes).  `moves` and `casts` say whether its device and its dtype change in one run at least, `met`,
    `before` and `after` what it comes to, and from what to what it changes then; `optional` that it is None in one.
    `devices` are texts that name the right device in all runs, `likes` tensors that have the right device and dtype,
    `kinds` texts for the right dtype.  A `problem` says why nothing can be written there.
    """

    operand: Place
    call: Place
    form: str
    moves: bool = False
    casts: bool = False
    devices: tuple[str, ...] = ()
    likes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    optional: bool = False
    met: str = ""
    before: str = ""
    after: str = ""
    problem: str = ""


@value
class Step:
    """One operation on the way of a size: where it stands, what it is, the shape that comes of it.

    `arithmetic` are the sums by which its sizes come about, `beside` the other tensors that take part.
    """

    place: Place | None
    what: str
    shape: tuple[int, ...]
    arithmetic: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@value
class Explained:
    """How something got its sizes: `what` and where it is, the steps from the input, its sizes, which inputs keep
    them.
    """

    what: str
    place: Place | None
    steps: tuple[Step, ...]
    sizes: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()


@value
class Trace:
    """All that one run of a file's definitions showed.

    `symbols` are those that all sizes hang on, each after those it is defined by: standing first, they keep pickling
    shallow. `entered` are the functions that ran while models were built, each with the call that ran it, `ways` those
    that were reached through others that take stars, or through code of packages, with the calls, innermost first.
    `missing_name` is a module-level name that was needed and not run; the slice is widened and the trace made again.
    `wants_torch` is a package that failed on what only real torch has; with that it may run.  Without `has_terms`
    all sizes are plain numbers.
    `notes` and `graphs` are what layers of the TorchX style told, `values` the placeholders of graphs by the
    expressions that gave them, `placements` what device scopes did.  `families` are the modules of rules and layers
    that the run loaded. `equal` are sizes that operations needed to be equal. `uneven` are calls of `zip` that cut a
    sequence short.
    `explained` answers the request's question; `specs` are those of the models, if they are the question,
    and `answers` TorchX's names for the parameters by the names in the source.
    """

    symbols: tuple[Symbol, ...] = ()
    models: tuple[ModelTrace, ...] = ()
    layers: tuple[LazyLayer, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    exact: tuple[tuple[FloorDiv, Expr], ...] = ()
    equal: tuple[Equality, ...] = ()
    entered: frozenset[tuple[Place, Place]] = frozenset()
    ways: frozenset[tuple[Place, tuple[Place, ...]]] = frozenset()
    missing_name: str | None = None
    wants_torch: str | None = None
    has_terms: bool = True
    usage: bool = False
    notes: tuple[Noted, ...] = ()
    graphs: tuple[GraphTrace, ...] = ()
    values: tuple[tuple[Place, Leaf], ...] = ()
    placements: Placements = Placements()
    families: tuple[str, ...] = ()
    uneven: frozenset[tuple[int, int]] = frozenset()
    explained: tuple[Explained, ...] = ()
    specs: tuple[tuple[str, Any], ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    crossings: tuple[Crossing, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the run ended in an error."""
        return any(finding.severity == "error" for finding in self.diagnostics)

    def show(self) -> Iterator[str]:
        """The trace as lines of text."""
        for model in self.models:
            yield f"model {model.entry} -> {model.result}"
            for name, shape, dtype, device in model.state:
                yield f"  {name}: {shape} {dtype}" + ("" if device == "cpu" else f" on {device}")
        for layer in self.layers:
            sizes = ", ".join(f"{name}={expr}" for name, expr in layer.sizes) or "not reached"
            yield f"{layer.kind} at {layer.site.line}:{layer.site.column} ({layer.how}): {sizes}"
