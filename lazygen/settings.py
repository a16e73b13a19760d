"""What a conversion is asked to do, as values: one frozen `Settings` an output."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """One size of an input.

    A fixed size has a `value` and no name; a free one has a `name` (`None` on the command line gets a name of its own)
    and perhaps a `value` as its sample.
    """

    value: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of `forward` that is a tensor: `name` is None if it is given by position, dotted if nested."""

    sizes: tuple[Size, ...]
    dtype: str = "float32"
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of `forward` that is a plain Python literal, as its source text."""

    name: str
    literal: str


@dataclass(frozen=True, slots=True)
class Target:
    """A model and what it is called with.

    `entry` is an expression (a name, or a call such as `Net(8)`); None stands for all models that the file holds.
    """

    entry: str | None = None
    inputs: tuple[Input, ...] = ()
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """What to convert into one output and how.  Of several targets each has an entry, and no two have the same one.

    `timeout` is in seconds and bounds each run of the models' definitions.
    """

    targets: tuple[Target, ...] = (Target(),)
    partial: bool = False
    timeout: float = 10.0

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

    # The only target, where there is one.

    @property
    def entry(self) -> str | None:
        return self.targets[0].entry

    @property
    def inputs(self) -> tuple[Input, ...]:
        return self.targets[0].inputs

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return self.targets[0].arguments
