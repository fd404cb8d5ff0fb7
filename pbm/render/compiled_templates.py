"""Templates compiled to Python that does less than Jinja's own.

Jinja stays the source and the parser. Its code looks up each name in three places, checks each
value for being undefined, and makes a context for each call. The templates of moves have no logic,
so a page becomes a few string additions, four times as quick. Anything else in a template raises
TypeError when it is compiled, and a test renders each template both ways.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import Environment, nodes
from jinja2.meta import find_undeclared_variables

from pbm.engine import frozen


@frozen
class CompiledTemplate:
    """A template ready for use: the `names` of its facts, and its text with marks for given facts.

    See `pbm.render.marks`; its function `plain` takes them out.
    """

    names: frozenset[str]
    text: Callable[[Mapping[str, Any]], str]


def loaded(environment: Environment, template: str) -> CompiledTemplate:
    """Return the page of the template with this name, as Jinja makes it."""
    names = find_undeclared_variables(_tree(environment, template))
    return CompiledTemplate(frozenset(names), environment.get_template(template).render)


def compiled(environment: Environment, template: str) -> CompiledTemplate:
    """Return the page of the template with this name; raise TypeError if it computes."""
    tree = _tree(environment, template)
    names = frozenset(find_undeclared_variables(tree))
    code = _Code(environment.filters)
    code.macros_of(tree, "")
    for line in tree.find_all(nodes.Import):
        code.macros_of(_tree(environment, _constant(line.template)), f"{line.target}.")
    code.page(sorted(names), [line for line in tree.body if not isinstance(line, _ASIDE)])
    found = dict(code.known)
    # The source is our own templates, and all text in it is quoted by `repr`.
    exec(compile("\n".join(code.lines), template, "exec"), found)  # noqa: S102
    return CompiledTemplate(names, found[_PAGE])


_PAGE = "_page"
_ASIDE = (nodes.Macro, nodes.Import)


def _tree(environment: Environment, template: str) -> nodes.Template:
    assert environment.loader is not None  # noqa: S101 - a folder
    source, _, _ = environment.loader.get_source(environment, template)
    return environment.parse(source, template)


def _constant(node: nodes.Node) -> str:
    if not isinstance(node, nodes.Const):
        raise _unknown(node)
    return str(node.value)


def _unknown(node: nodes.Node) -> TypeError:
    return TypeError(f"a template may hold no {type(node).__name__} (line {node.lineno})")


class _Code:
    """Lines of Python: a function for each macro, and what they use as `known` names.

    Names of ours begin with "_", which no name of a template does.
    """

    def __init__(self, filters: Mapping[str, Callable[..., Any]]) -> None:
        self.lines: list[str] = []
        self.known: dict[str, Any] = {}
        self._filters = filters
        self._functions: dict[str, str] = {}
        self._names: frozenset[str] = frozenset()
        self._depth = 0

    def macros_of(self, tree: nodes.Template, prefix: str) -> None:
        """Add a function for each macro of a template, which is called by `prefix` and its name.

        Macros of one file know each other without the prefix.
        """
        macros = list(tree.find_all(nodes.Macro))
        for macro in macros:
            if macro.name in self._functions or macro.defaults:
                raise _unknown(macro)  # of two with one name, a page could take either
            name = f"_macro{len(self._functions)}"
            self._functions[f"{prefix}{macro.name}"] = self._functions[macro.name] = name
        for macro in macros:
            names = tuple(arg.name for arg in macro.args)
            self._begin(self._functions[macro.name], names, names)
            self._end(macro.body)

    def page(self, names: Sequence[str], body: Sequence[nodes.Node]) -> None:
        """Add the function of the page, which takes facts with these `names`."""
        self._begin(_PAGE, ("_facts",), names)
        for name in names:
            self._add(f"{name} = _facts[{name!r}]")
        self._end(body)

    def _begin(self, function: str, takes: Iterable[str], names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self.lines.append(f"def {function}({', '.join(takes)}):")
        self._depth = 1

    def _end(self, body: Sequence[nodes.Node]) -> None:
        self._add("_text = ''")
        self._block(body, "_text")
        self._add("return _text")

    def _add(self, line: str) -> None:
        self.lines.append("    " * self._depth + line)

    def _block(self, body: Iterable[nodes.Node], to: str) -> None:
        """Add lines that append the text of `body` to the variable `to`."""
        for node in body:
            match node:
                case nodes.Output():
                    self._add(f"{to} += {self._pieces(node.nodes)}")
                case nodes.If():
                    self._branches(node, to)
                case nodes.For(target=nodes.Name(name=name), else_=[], test=None) if (
                    # In Python the loop's name would stay what it was last.
                    name not in self._names
                ):
                    self._inner(f"for {name} in {self._value(node.iter)}:", node.body, to)
                case nodes.FilterBlock():
                    inner = f"{to}_"
                    self._add(f"{inner} = ''")
                    self._block(node.body, inner)
                    self._add(f"{to} += {self._filtered(node.filter, inner)}")
                case _:
                    raise _unknown(node)

    def _branches(self, node: nodes.If, to: str) -> None:
        self._inner(f"if {self._value(node.test)}:", node.body, to)
        for other in node.elif_:
            self._inner(f"elif {self._value(other.test)}:", other.body, to)
        if node.else_:
            self._inner("else:", node.else_, to)

    def _inner(self, head: str, body: Sequence[nodes.Node], to: str) -> None:
        self._add(head)
        self._depth += 1
        self._add("pass")
        self._block(body, to)
        self._depth -= 1

    def _pieces(self, pieces: Iterable[nodes.Node]) -> str:
        """Return an expression for the text of `pieces`, one after the other.

        Python makes one string of a form and its values at once, as quickly as of an f-string.
        """
        form, values = "", list[str]()
        for piece in pieces:
            known = self._known_text(piece)
            if known is None:
                values.append(self._value(piece))
            form += "%s" if known is None else known.replace("%", "%%")
        return f"{form!r} % ({''.join(f'{value}, ' for value in values)})"

    def _known_text(self, node: nodes.Node) -> str | None:
        """Return the text of a piece that is the same each time, or None if it is not."""
        if isinstance(node, nodes.TemplateData):
            return node.data
        if isinstance(node, nodes.Filter):
            given = [
                part.value for part in (node.node, *node.args) if isinstance(part, nodes.Const)
            ]
            return str(self._function(node)(*given)) if len(given) > len(node.args) else None
        return None

    def _value(self, node: nodes.Node | None) -> str:
        """Return an expression for a value."""
        match node:
            case nodes.Const():
                return repr(node.value)
            case nodes.Name():
                return node.name
            case nodes.Getattr():
                return f"{self._value(node.node)}.{node.attr}"
            case nodes.Concat():
                return f"({self._pieces(node.nodes)})"
            case nodes.Filter():
                return self._filtered(node, self._value(node.node))
            case nodes.Call(kwargs=[]):
                macro = self._functions[".".join(_names(node.node))]
                return f"{macro}({', '.join(map(self._value, node.args))})"
            case _:
                raise _unknown(node or nodes.Const(None))

    def _filtered(self, node: nodes.Filter, value: str) -> str:
        """Return an expression for `value` after this filter."""
        name = f"_filter_{node.name}"
        self.known[name] = self._function(node)
        return f"{name}({', '.join([value, *map(self._value, node.args)])})"

    def _function(self, node: nodes.Filter) -> Callable[..., Any]:
        function = self._filters[node.name]
        if hasattr(function, "jinja_pass_arg"):
            raise _unknown(node)  # it needs more than its value
        return function


def _names(node: nodes.Node) -> Iterator[str]:
    """Yield the names of `parts.turn` one by one."""
    if isinstance(node, nodes.Getattr):
        yield from _names(node.node)
        yield node.attr
    elif isinstance(node, nodes.Name):
        yield node.name
    else:
        raise _unknown(node)
