"""What a conversion is asked to do, as values: one frozen `Settings` an output."""

from __future__ import annotations

from lazygen.values import value


@value
class Size:
    """One size of an input.

    A fixed size has a `value` and no name; a free one has a `name` (`None` on the command line gets a name of its own)
    and perhaps a `value` as its sample.
    """

    value: int | None = None
    name: str | None = None


@value
class Input:
    """An argument of `forward` that is a tensor: `name` is None if it is given by position, dotted if nested."""

    sizes: tuple[Size, ...]
    dtype: str = "float32"
    name: str | None = None


@value
class Argument:
    """An argument of `forward` that is a plain Python literal, as its source text."""

    name: str
    literal: str


@value
class Target:
    """A model and what it is called with.

    `entry` is an expression (a name, or a call such as `Net(8)`); None stands for all models that the file holds.
    """

    entry: str | None = None
    inputs: tuple[Input, ...] = ()
    arguments: tuple[Argument, ...] = ()


@value
class Placement:
    """Where a whole output is placed: on `device` and in `dtype`, each empty if nothing is said.

    `argument` gives its classes `device` and `dtype` arguments.  `parallel` are the GPUs of `nn.DataParallel`; None
    stands for none, an empty tuple for all that there are.  `pipeline` cuts models into stages, `shard` writes a
    function that shards them.
    """

    device: str = ""
    dtype: str = ""
    argument: bool = False
    parallel: tuple[int, ...] | None = None
    pipeline: bool = False
    shard: bool = False

    @property
    def is_somewhere(self) -> bool:
        """Whether parameters go to another place than they would."""
        return bool(self.device or self.dtype or self.parallel is not None)


@value
class Settings:
    """What to convert into one output and how.  Of several targets each has an entry, and no two have the same one.

    `timeout` is in seconds and bounds each run of the models' definitions.  `engine` is what these run on: the stand-in
    for torch (`symbolic`), or torch itself on its meta device (`torch`), which knows numbers and no terms.
    """

    targets: tuple[Target, ...] = (Target(),)
    partial: bool = False
    timeout: float = 10.0
    engine: str = "symbolic"
    placement: Placement = Placement()

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that somebody named; empty if the models of the file are to be found."""
        return tuple(target.entry for target in self.targets if target.entry is not None)

    def target_for(self, entry: str) -> Target:
        """What is known of a model: the target with this entry, else the one for all models."""
        for target in self.targets:
            if target.entry == entry:
                return target
        return next((target for target in self.targets if target.entry is None), self.targets[0])
