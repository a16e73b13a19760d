"""The two digests of a header: what changes them and, more important, what does not."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen.dependencies import project_modules
from lazygen.digest import body_digest, source_digest
from lazygen.header import REV, Header, read_header

ROOT = Path(__file__).resolve().parent.parent
WIDTHS = (60, 88, 120)


def formatted(code: str, width: int) -> str:
    return black.format_str(code, mode=black.Mode(line_length=width))


# Each is something that black writes otherwise at one width or another.
UNTIDY = {
    "quotes and numbers": "x = 'a', U'b', R'c', B'd', 0XFF, 1E5, 0O17, 10J, 1_000, 'it\\'s', \"say \\\"no\\\"\"\n",
    "parentheses": dedent("""\
        class A( ):
            def f(self): return (yield (1))
        for (i) in (1, 2): print((i))
        for (a, b) in (*x, *y): pass
        if (a): (b) = (c)
        del (a, b), [c]
        del (a)
        assert (x), (y)
        with (open(a)) as f, (b): pass
        return_ = lambda: (yield)
        x = (  # why
            1
        )
        not(x)
        print(* args, ** kwargs)
        """),
    "trailing commas and lines": dedent("""\
        f(a,)
        f(aaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccccc, ddddddddddddddd=1)
        x = [1, 2,
             3]
        y = [
            1,  # one
            2  # two
        ]
        z = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbb * ccccccccccccccccccccccc - dddddddd
        if x and \\
           y: pass
        def f(a, b=1, *, c: int=2, **d) -> (int): return a
        t[1,]; t[a:b , ::2]
        """),
    "concatenated strings": dedent("""\
        x = ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
             'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' f"{c}" 'd'  # why
             )
        y = f'{a}' "b" f'{c!r:>{width}}' f"{{}}" f"{x = }" f'{d:%Y-%m}'
        raise ValueError("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" % (b, c), f"{dddddddddddddddddd}")
        """),
    "docstrings": dedent('''\
        """  A module.
          With a second line.\t
        """
        class A:
          \'\'\'   A class.

              Deeper, with a\ttab.
          \'\'\'
          x = 1
          """An attribute,
             of two lines."""
          def f(self):
            "Says \\"so\\"."
          def g(self):
            """Splits at '\\n' and more,
              and here.
            """
          def h(self):
            \'\'\'Ends with a quote"\'\'\'
          def i(self):
          \t"""Tabs\tinside,
          \t\tand before."""
          def j(self): """   """
          def k(self):
            r"""A \\d
               pattern."""
          def l(self):
            """Goes \\
            on."""
        '''),
    "comments": dedent("""\
        #!shebang
        #about
        #:special
        #!not
        x = 1 #a
        y = 2    #   b   \t
        def f(a, #first
              b): #second
            #inside
            pass
            # at the end
        x = [ # open
            1, 2] # close
        call(a)(b)(c)( # d
            e)
        if x: # one line
            pass
        else: # other
            pass
        z = 1 #type:  ignore
        """),
    "empty lines": dedent("""\
        import a
        def f():


            x = 1




            y = 2
        class B:

            x = 1
            def f(self): ...
        @d

        def g(): pass"""),
    "matching": dedent("""\
        match (x):
            case [1, (2)] | {'a': 3, **rest}: pass
            case A(b=(1), c=_) if (d): pass
        try: pass
        except (A, B) as e: raise (e) from (None)
        try: pass
        except* C: pass
        """),
    "unusual": dedent("""\
        async def f():
          async with (a) as b: await (c)
          return [i async for (i) in (d) if (e)]
        x: (int) = 1
        print(a if (b) else c, (d := 1), -(1), ~ x, a ** -b, (-1) ** 2)
        """),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", UNTIDY)
def test_black_does_not_change_the_body(name: str, width: int) -> None:
    code = UNTIDY[name]
    assert body_digest(code) is not None
    tidy = formatted(code, width)
    assert tidy != code
    assert body_digest(tidy) == body_digest(code)


def sources() -> list[Path]:
    """Real code to try black on: this project's own, and what is installed beside it and is not black-clean."""
    import click
    import jinja2

    own = sorted((ROOT / "lazygen").rglob("*.py"))
    others = [path for module in (click, jinja2) for path in sorted(Path(str(module.__file__)).parent.glob("*.py"))]
    return [path for path in own[::9] + others[::4] if 2000 < path.stat().st_size < 30_000][:12]


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_black_does_not_change_the_body_of_real_code(path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    crooked = re.sub(r"^(    )+", lambda found: found[0][::2], code, flags=re.MULTILINE)
    for text in (code, crooked):
        if body_digest(text) is None:
            continue
        for width in WIDTHS[::2]:
            assert body_digest(formatted(text, width)) == body_digest(text)


CODE = '"""Doc."""\n\nimport torch\n\nx = f(1, 2.5, "a")  # why\n# below\ny = f"{x:>3}"\ndel a, b\n'


def test_line_ends_do_not_change_the_body() -> None:
    text = CODE + 'z = """one\ntwo\n"""\n'
    for end in ("\r\n", "\r"):
        assert body_digest(text.replace("\n", end)) == body_digest(text)


EDITS = [
    ("2.5", "2.6"),
    ("1,", "1.0,"),
    ("1,", "True,"),
    ('"a"', 'b"a"'),
    ('"a"', '"b"'),
    ('"a"', "None"),
    ("# why", "# because"),
    ("# why", "#  why"),
    ("  # why", ""),
    ("# below\n", ""),
    ("# below", "# below\n# more"),
    ("import torch", "import torch as torch"),
    ("Doc.", "Document."),
    ("y = ", "y += "),
    (":>3", ":<3"),
    ("{x:>3}", "{x!r:>3}"),
    ("del a, b", "del b, a"),
    ("del a, b", "del (a), c"),
    ("f(1, ", "f(-1, "),
    ("f(1, ", "f(*1, "),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_changes_the_body(old: str, new: str) -> None:
    assert old in CODE
    edited = CODE.replace(old, new, 1)
    assert body_digest(edited) is not None
    assert body_digest(edited) != body_digest(CODE)


PAIRS = [
    ("f(a=1)", "f(b=1)"),
    ("f(**a)", "f(a)"),
    ("{**a, 'b': 1}", "{'b': 1, **a}"),
    ("def f(*, a, b=1): pass", "def f(*, a=1, b): pass"),
    ("from . import a", "from .. import a"),
    ("x[1:2]", "x[:1:2]"),
    ("x[:1]", "x[1:]"),
    ("[]", "()"),
    ("'[' , ']'", "[']', '[']"),
    ("a.b", "a.c"),
    ("async def f(): pass", "def f(): pass"),
    ("x: int", "x: str"),
    ("x: int", "x: int = None"),
    ("...", "None"),
    ("1j", "1"),
    ("f'{a}b'", "f'a{b}'"),
    ("f'{a}' 'b'", "f'{a}' 'c'"),
    ("if a:\n    b\nelse:\n    c", "if a:\n    b\nc"),
    ("# a\n# b\n", "# b\n# a\n"),
    ("x = '''a\n  b'''", "x = '''a\n   b'''"),
    ("def f():\n    '''a\n      b\n    c'''", "def f():\n    '''a\n    b\n    c'''"),
    ("1" * 4000, "1" * 3999 + "2"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_differs_has_other_digests(one: str, other: str) -> None:
    assert body_digest(one) is not None and body_digest(other) is not None
    assert body_digest(one) != body_digest(other)


@pytest.mark.parametrize("code", ["x = (", "x = '", "\0", "  x\n y", "(" * 5000, "x = 1\n" + "    " * 200 + "y"])
def test_what_is_no_python_has_no_digest(code: str) -> None:
    assert body_digest(code) is None


def test_depth_is_no_obstacle() -> None:
    chain = "x = a" + ".b()" * 150
    assert body_digest(chain) not in (None, body_digest(chain + ".b"))


@given(st.integers(), st.floats(allow_nan=False), st.text(max_size=5), st.binary(max_size=5))
@settings(max_examples=60, deadline=None)
def test_constants_of_all_kinds(number: int, real: float, text: str, data: bytes) -> None:
    code = f"x = {number!r}, {real!r}, {text!r}, {data!r}\n"
    same = f"x = ({number!r},\n {real!r}, {text!r},  {data!r},)\n"
    assert body_digest(code) == body_digest(same) != body_digest(f"x = {number + 1!r}, {real!r}, {text!r}, {data!r}\n")


# Other Pythons

CORPUS = [*UNTIDY.values(), CODE, *(one for one, _ in PAIRS), "x = '\u0378\U0001fae8\xad'\n", "x = '\\ud800'\n"]
PROGRAM = """
import json, sys
from lazygen.digest import body_digest
print(json.dumps([body_digest(code) for code in json.load(sys.stdin)]))
"""


def other_pythons() -> list[str]:
    """Interpreters of other versions that lazygen runs on, as far as this machine has them."""
    candidates = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin/python"))
    found = {match[1]: str(path) for path in candidates if (match := re.search(r"/versions/(3\.\d+)", str(path)))}
    here = "{}.{}".format(*sys.version_info)
    return [path for version, path in found.items() if int(version[2:]) >= 11 and version != here]


NONE = pytest.param("", marks=pytest.mark.skip(reason="there is no other Python here"))


@pytest.mark.parametrize("python", other_pythons() or [NONE])
def test_every_python_gives_the_same_digests(python: str) -> None:
    done = subprocess.run(
        [python, "-c", PROGRAM],
        input=json.dumps(CORPUS),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [body_digest(code) for code in CORPUS]


# The header in a text


def header_of(text: str) -> Header:
    header = read_header(text)
    assert header is not None
    return header


FIRST = "# Generated by lazygen from m.py; edit that file, then run: lazygen convert m.py --arg 'a=1'\n"
HEADER = f"{FIRST}# lazygen: rev={REV} source=00ff body={{}}\n"


@pytest.mark.parametrize("above", ["", "#!/usr/bin/env python\n", "#!/bin/python\n# coding: utf-8\n", "\n\n# about\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_reading_a_header(above: str, end: str) -> None:
    code = f"{above}import torch  # why\n"
    text = (above + HEADER.format(body_digest(code)) + "import torch  # why\n").replace("\n", end)
    header = header_of(text)
    assert (header.source_name, header.command) == ("m.py", "lazygen convert m.py --arg 'a=1'")
    assert header.rest == code.replace("\n", end)
    assert not header.is_edited()
    assert header.is_stale("00fe") and not header.is_stale("00ff")
    assert header_of(text.replace("# why", "# who")).is_edited()


def test_an_output_of_an_earlier_revision_is_stale() -> None:
    header = header_of(HEADER.replace(f"rev={REV}", f"rev={REV - 1}") + "x = 1\n")
    assert header.is_stale("00ff")


@pytest.mark.parametrize("damage", ["", "# lazygen: rev=1 source= body=00\n", "# lazygen: rev=1 source=00ff\n"])
def test_a_damaged_header_counts_as_an_edit(damage: str) -> None:
    header = header_of(FIRST + damage + "x = 1\n")
    assert header.is_edited()


def test_black_keeps_the_header() -> None:
    code = UNTIDY["comments"]
    text = HEADER.format(body_digest(code)) + "\n" + code
    for width in WIDTHS:
        assert not header_of(formatted(text, width)).is_edited()


@pytest.mark.parametrize("text", ["", "x = 1\n", "x = '# Generated by lazygen from '\n", "\n" * 9 + HEADER])
def test_other_files_have_no_header(text: str) -> None:
    assert read_header(text) is None


# What an output is made from

digest = functools.partial(source_digest, "x = 1\n", ["entry=A"], [("a.py", b"1"), ("b.py", b"2")])


def test_the_source_digest_covers_text_settings_and_modules() -> None:
    others = [
        source_digest("x = 2\n", ["entry=A"], [("a.py", b"1"), ("b.py", b"2")]),
        source_digest("x = 1\n", ["entry=B"], [("a.py", b"1"), ("b.py", b"2")]),
        source_digest("x = 1\n", [], [("a.py", b"1"), ("b.py", b"2")]),
        source_digest("x = 1\n", ["entry=A"], [("a.py", b"1"), ("b.py", b"3")]),
        source_digest("x = 1\n", ["entry=A"], [("a.py", b"1"), ("c.py", b"2")]),
        source_digest("x = 1\n", ["entry=A"], [("a.py", b"1")]),
        source_digest("x = 1\n", ["entry=", "A"], [("a.py", b"1"), ("b.py", b"2")]),
    ]
    assert len({digest(), *others}) == len(others) + 1


def test_the_source_digest_takes_all_line_ends_for_one() -> None:
    one = source_digest("x\r\ny\rz\n", [], [("a.py", b"1\r\n2\r")])
    assert one == source_digest("x\ny\nz\n", [], [("a.py", b"1\n2\n")])


MODULES = {
    "pkg/__init__.py": "",
    "pkg/model.py": "",
    "pkg/blocks.py": "from . import sizes\nfrom .. import outside\n",
    "pkg/sizes.py": "import model, torch, json\n",
    "pkg/deep/__init__.py": "from .inner import x\n",
    "pkg/deep/inner.py": "x = (\n",
    "pkg/unused.py": "",
    "helpers.py": "from src_only import y\n",
    "src/src_only.py": "y = 1\nimport pkg.blocks\n",
    "space/name.py": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\n", []),
        ("from .blocks import Block\n", ["pkg/__init__.py", "pkg/blocks.py", "pkg/sizes.py"]),
        ("from . import sizes\n", ["pkg/__init__.py", "pkg/sizes.py"]),
        ("import pkg.sizes as s\n", ["pkg/__init__.py", "pkg/sizes.py"]),
        ("import sizes\n", ["pkg/sizes.py"]),
        ("from pkg import deep\n", ["pkg/__init__.py", "pkg/deep/__init__.py", "pkg/deep/inner.py"]),
        (
            "def f():\n    try:\n        import helpers\n    except ImportError:\n        import other\n",
            ["helpers.py", "pkg/__init__.py", "pkg/blocks.py", "pkg/sizes.py", "src/src_only.py"],
        ),
        ("import space.name\n", ["space/name.py"]),
        ("from ...up import x\nimport pkg.nothing\n", []),
    ],
)
def test_the_modules_that_a_source_imports(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "outside.py").write_text("")
    root = tmp_path / "project"
    for name, content in MODULES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    found = project_modules(str(root / "pkg" / "model.py"), text)
    assert [name for name, _ in found] == expected
    assert [content.decode() for _, content in found] == [MODULES[name] for name in expected]


def test_in_the_place_of_a_generated_module_its_source_counts(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("import a_explicit, b_explicit\n")
        output = FIRST.replace("m.py;", f"{name}.py;") + "import c\n"
        (tmp_path / f"{name}_explicit.py").write_text(output)
    (tmp_path / "c.py").write_text("")
    found = project_modules(str(tmp_path / "a.py"), "import a_explicit, b_explicit\n")
    assert [name for name, _ in found] == ["b.py"]
