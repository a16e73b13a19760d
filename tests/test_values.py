"""Frozen values and records: what they share with dataclasses, and what goes wrong in using them."""

from __future__ import annotations

import ast
import copy
import pickle
from typing import Any

import architecture
import pytest

from lazygen.values import field, record, replace, value


@value
class Point:
    """Two numbers."""

    x: int
    y: int = 0

    @property
    def total(self) -> int:
        return self.x + self.y


@value
class Named(Point):
    name: str = "?"


@value
class Other:
    x: int
    y: int = 0


@value
class Single:
    items: tuple[int, ...] = ()


@record
class Basket:
    owner: str
    items: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.owner = self.owner.title()


def test_fields_by_place_and_by_name() -> None:
    assert Point(1, 2) == Point(1, y=2) == Point(x=1, y=2)
    assert Point(1) == Point(1, 0)
    assert Point(1, 2).total == 3
    assert Point.__doc__ == "Two numbers."


def test_equal_are_the_same_class_with_the_same_fields() -> None:
    assert Point(1) != Point(2)
    others: list[object] = [Other(1), (1, 0), None]
    assert Point(1) not in others
    assert Named(1) != Point(1)
    assert {Point(1, 2): "a"}[Point(1, 2)] == "a"
    assert len({Point(1), Point(1), Point(2), Single((1,)), Single((1,))}) == 3


def test_an_inherited_field_comes_first() -> None:
    named = Named(1, 2, "a")
    assert (named.x, named.y, named.name) == (1, 2, "a")
    assert repr(named) == "Named(x=1, y=2, name='a')"


def test_values_are_frozen() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del point.y
    assert point == Point(1)


def test_there_is_room_for_fields_only() -> None:
    basket: Any = Basket("a")
    with pytest.raises(AttributeError):
        basket.itmes = [1]
    assert not hasattr(Point(1), "__dict__")


def test_a_record_changes_and_equals_itself_alone() -> None:
    one, other = Basket("a"), Basket("a")
    one.items.append(1)
    one.owner = "b"
    assert (one.owner, one.items) == ("b", [1])
    assert (other.owner, other.items) == ("A", [])
    assert one == one and Basket("a") != Basket("a") and len({one, other}) == 2


@pytest.mark.parametrize(
    ("arguments", "named", "said"),
    [
        ((), {}, "Point lacks its argument 'x'"),
        ((1, 2, 3), {}, "so many arguments"),
        ((1,), {"z": 3}, "the argument 'z'"),
        ((1,), {"x": 3}, "the argument 'x'"),
    ],
)
def test_wrong_arguments(arguments: tuple[int, ...], named: dict[str, int], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Point(*arguments, **named)


def test_replace_copies() -> None:
    point = Point(1, 2)
    assert replace(point, y=5) == Point(1, 5)
    assert replace(point) == point == Point(1, 2)
    assert replace(Named(1, 2, "a"), x=3) == Named(3, 2, "a")
    with pytest.raises(TypeError, match="'z'"):
        replace(point, z=1)


@pytest.mark.parametrize("thing", [Point(1, 2), Named(1, 2, "a"), Single((1, 2)), Single()])
def test_copies_and_pickles_are_equal(thing: object) -> None:
    assert copy.copy(thing) == copy.deepcopy(thing) == thing
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(thing, protocol)) == thing


def test_a_pattern_takes_fields_by_place() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("it did not match")


def dataclasses_in(text: str) -> list[str]:
    """The names that a file takes from `dataclasses` to make classes with."""
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    names = [alias.name for node in imports if node.module == "dataclasses" for alias in node.names]
    return [name for name in names if name in ("dataclass", "field", "replace")]


def test_a_command_makes_no_dataclass() -> None:
    """The TorchX library, which only its own users import, may."""
    files = [file for file in architecture.files() if architecture.part(file) not in ("layers", "nn", "devices")]
    assert [file for file in files if dataclasses_in(architecture.text_of(file))] == []
    assert dataclasses_in("from dataclasses import dataclass, fields") == ["dataclass"]
