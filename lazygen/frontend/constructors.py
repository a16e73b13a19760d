"""Which arguments the constructor of a class of the file asks for, and example values to write in a message."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from lazygen.values import value

Function = ast.FunctionDef | ast.AsyncFunctionDef


@value
class Parameter:
    """A parameter without a default; `annotation` is its source text, "" if it has none."""

    name: str
    annotation: str = ""
    keyword_only: bool = False


def required_by_class(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> tuple[Parameter, ...]:
    """The parameters that a call of a class has to give.

    Constructors are followed through the bases in `classes`, those of the same file; a class from elsewhere is taken
    to need nothing.
    """
    return _required(node, classes, frozenset())


def required_by_function(node: Function) -> tuple[Parameter, ...]:
    """The parameters of a function that have no default, in their order."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    keyword_only = [argument for argument, default in keywords if default is None]
    return tuple(
        Parameter(argument.arg, ast.unparse(argument.annotation) if argument.annotation else "", only)
        for only, group in ((False, required), (True, keyword_only))
        for argument in group
    )


def method(node: ast.ClassDef, name: str) -> Function | None:
    """The method of a class body, the last one of that name; those inside an `if` or a `try` count."""
    found: Function | None = None
    stack: list[ast.AST] = list(reversed(node.body))
    while stack:
        part = stack.pop()
        if isinstance(part, Function):
            found = part if part.name == name else found
        elif isinstance(part, ast.If | ast.Try | ast.With | ast.excepthandler):
            stack.extend(reversed(list(ast.iter_child_nodes(part))))
    return found


def example_call(name: str, parameters: tuple[Parameter, ...]) -> str:
    """`Net(8, num_classes=10)`: a call with plausible values."""
    values = [
        f"{parameter.name}={example_value(parameter)}" if parameter.keyword_only else example_value(parameter)
        for parameter in parameters
    ]
    return f"{name}({', '.join(values)})"


# The first pattern that is found in a parameter's name gives its example.
_EXAMPLES = tuple(
    (re.compile(pattern), value)
    for pattern, value in (
        (r"(^|_)(vocab|num_embeddings|ntoken)", "100"),
        (r"classes|labels|(^|_)out(put)?($|_)|num_outputs|n_out|actions", "10"),
        (r"dropout|(^|_)(p|rate|drop|prob|alpha|momentum|eps|lr|ratio)($|_)", "0.1"),
        (r"^(use|with|is|has)_|(^|_)bias($|_)|pretrained|bidirectional|residual", "True"),
        (r"kernel", "3"),
        (r"(^|_)heads?($|_)", "4"),
        (r"depth|^(n|num)_|(^|_)(layers|blocks|stages|levels|repeats|groups|stride)($|_)", "2"),
        (r"widths|channels_list|(^|_)(dims|sizes|features_list|hiddens|units_list)($|_)|filters_list", "(8, 16)"),
        (r"(^|_)(in_)?channels?($|_)", "8"),
        (r"activation|mode|name|kind|norm_type", '"relu"'),
    )
)
_BY_ANNOTATION = {
    "bool": "True", "float": "0.1", "str": '"relu"', "dict": "{}",
    "list": "[8, 16]", "List": "[8, 16]", "Sequence": "(8, 16)", "Iterable": "(8, 16)", "tuple": "(8, 16)",
    "Tuple": "(8, 16)",
}  # fmt: skip


def example_value(parameter: Parameter) -> str:
    """A plausible value as source text: by the annotation if that says the kind, else by the name."""
    kind = re.match(r"[\w.]*", parameter.annotation.strip("'\""))
    written = _BY_ANNOTATION.get(kind.group().rpartition(".")[2] if kind else "")
    by_name = next((value for pattern, value in _EXAMPLES if pattern.search(parameter.name.lower())), "8")
    if written is not None:
        # The name may know a better number of the same kind.
        same = by_name[0] == written[0] or (written == "0.1" and by_name.startswith("0."))
        return by_name if same and written not in ("[8, 16]", "{}") else written
    if parameter.annotation == "int" and not by_name.isdigit():
        return "8"
    return by_name


def _required(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str]) -> tuple[Parameter, ...]:
    if node.name in seen:
        return ()
    seen |= {node.name}
    bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes]
    constructor = method(node, "__init__")
    if constructor is not None:
        own = required_by_function(constructor)
        static = constructor.args.posonlyargs or constructor.args.args
        own = own[1:] if static and own and own[0].name == static[0].arg else own
        return own + _passed_on(constructor, node, classes, seen)
    if _is_dataclass(node):
        return _required_fields(node, classes)
    for base in bases:
        required = _required(base, classes, seen)
        if required or method(base, "__init__") is not None:
            return required
    return ()


def _passed_on(
    constructor: Function, node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str]
) -> tuple[Parameter, ...]:
    """What `super().__init__(*args, **kwargs)` still needs when nothing is passed on."""
    catches = {extra.arg for extra in (constructor.args.vararg, constructor.args.kwarg) if extra is not None}
    if not catches:
        return ()
    for call in ast.walk(constructor):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")):
                stars = [argument.value for argument in call.args if isinstance(argument, ast.Starred)]
                stars += [keyword.value for keyword in call.keywords if keyword.arg is None]
                if any(isinstance(star, ast.Name) and star.id in catches for star in stars):
                    given = {keyword.arg for keyword in call.keywords}
                    first = sum(not isinstance(argument, ast.Starred) for argument in call.args)
                    base = _inherited(node, classes, seen)
                    return tuple(parameter for parameter in base[first:] if parameter.name not in given)
    return ()


def _inherited(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str]) -> tuple[Parameter, ...]:
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            return _required(classes[base.id], classes, seen)
    return ()


def _is_dataclass(node: ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")) == "dataclass":
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            return not any(
                keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                for keyword in keywords
            )
    return False


def _required_fields(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> tuple[Parameter, ...]:
    fields: dict[str, Parameter | None] = {}  # None: has a default, or is no argument
    _collect_fields(node, classes, fields, set())
    return tuple(parameter for parameter in fields.values() if parameter is not None)


def _collect_fields(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], fields: dict[str, Parameter | None], seen: set[str]
) -> None:
    if node.name in seen:
        return
    seen.add(node.name)
    for base in reversed(node.bases):
        if isinstance(base, ast.Name) and base.id in classes and _is_dataclass(classes[base.id]):
            _collect_fields(classes[base.id], classes, fields, seen)
    keyword_only = False
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            annotation = ast.unparse(part.annotation)
            if annotation.endswith("KW_ONLY"):
                keyword_only = True
            elif "ClassVar" not in annotation:
                required = part.value is None or _is_bare_field(part.value)
                name = part.target.id
                fields[name] = Parameter(name, annotation, keyword_only) if required else None


def _is_bare_field(value: ast.expr) -> bool:
    """Whether a value is `field(...)` that gives no default and is an argument of the constructor."""
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field"), keywords=keywords):
            for keyword in keywords:
                if keyword.arg in ("default", "default_factory"):
                    return False
                if keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False:
                    return False
            return True
    return False
