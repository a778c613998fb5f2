"""The API's own pages: every address out of the schema, with an example and a form to try it.

They are rendered on the server, and complete without scripts; the form needs one.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.problems import KINDS, nothing_here
from apps.frame.public_address import origin

# The rooms of a study in the order of the work; whatever is not among them comes after.
ORDER = (
    "studies", "people", "corpora", "blanks", "campaigns", "quality", "panels", "datasets", "pairs",
    "testbeds", "experiments", "models", "dashboard", "releases", "webhooks", "jobs",
)  # fmt: skip
_EXAMPLES = {"slug": "dogs-and-cats"}


@dataclass(frozen=True)
class Parameter:
    name: str
    place: str
    kind: str
    choices: tuple[str, ...]
    text: str

    @property
    def example(self) -> str:
        return _EXAMPLES.get(self.name, "1") if self.place == "path" else ""


@dataclass(frozen=True)
class Field:
    name: str
    kind: str
    text: str
    is_required: bool


@dataclass(frozen=True)
class Operation:
    """One address and method: what it is for, what it takes, and the fields of what comes back.

    ``body`` is an example in JSON; ``form`` has the fields of a file's form, where it takes one.
    """

    name: str
    method: str
    path: str
    text: SafeString
    scope: str
    parameters: tuple[Parameter, ...]
    body: str
    body_fields: tuple[Field, ...]
    form: tuple[Field, ...]
    fields: tuple[Field, ...]
    statuses: tuple[str, ...]

    @property
    def example(self) -> str:
        """The path with example values in it."""
        return re.sub(r"{(\w+)}", lambda match: _EXAMPLES.get(match[1], "1"), self.path)

    def curl(self, base: str) -> str:
        words = ['curl -H "$TOKEN"'] + ([] if self.method == "GET" else [f"-X {self.method}"])
        if self.body:
            words += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(self.body)}"]
        return " ".join([*words, f"{base}{self.example}"])

    def curl_of_form(self, base: str) -> str:
        parts = [f"-F {field.name}={'@dogs.txt' if field.kind == 'binary' else '…'}" for field in self.form]
        return " ".join(['curl -H "$TOKEN"', *parts, f"{base}{self.example}"])


def docs(request: HttpRequest) -> HttpResponse:
    """What holds everywhere, and the list of addresses; for whoever is signed in."""
    context = {
        "groups": _in_order(_groups()),
        "base": origin(request),
        "scopes": Scope.choices,
        "problems": KINDS.values(),
    }
    return render(request, "api/docs.html", context)


def docs_of(request: HttpRequest, tag: str) -> HttpResponse:
    """The addresses of one room."""
    groups = _groups()
    if tag not in groups:
        raise Http404
    base = origin(request)
    context = {
        "tag": tag,
        "groups": _in_order(groups),
        "operations": [
            (operation, operation.curl(base), operation.curl_of_form(base)) for operation in groups[tag]
        ],
    }
    return render(request, "api/room.html", context)


@extend_schema(exclude=True)
@api_view(["GET", "POST", "PUT", "PATCH", "DELETE"])
@permission_classes([IsAuthenticated])
def not_found(request: Request) -> Response:
    """An address that the API does not have: a problem in JSON, like every other."""
    raise nothing_here()


def _in_order(groups: dict[str, list[Operation]]) -> list[tuple[str, list[Operation]]]:
    def place(group: tuple[str, list[Operation]]) -> tuple[int, str]:
        return (ORDER.index(group[0]) if group[0] in ORDER else len(ORDER), group[0])

    return sorted(groups.items(), key=place)


@lru_cache(maxsize=1)
def _groups() -> dict[str, list[Operation]]:
    """The schema's operations by tag; the schema does not change while the program runs. It is in English,
    as the file is, whoever asks first."""
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    components = schema["components"]["schemas"]
    groups: dict[str, list[Operation]] = defaultdict(list)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].append(_operation(method, path, operation, components))
    return dict(groups)


def _operation(method: str, path: str, operation: dict[str, Any], components: dict[str, Any]) -> Operation:
    content = operation.get("requestBody", {}).get("content", {})
    success: dict[str, Any] = next(
        (answer for status, answer in operation["responses"].items() if status[0] == "2"), {}
    )
    answer = success.get("content", {}).get("application/json", {}).get("schema", {})
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        text=_with_code(operation.get("description", "").partition("\n\nScope:")[0]),
        scope=operation["x-scope"],
        parameters=tuple(map(_parameter, (p for p in operation.get("parameters", ()) if "name" in p))),
        body=_example(content.get("application/json", {})),
        body_fields=tuple(_fields(content.get("application/json", {}).get("schema", {}), components)),
        form=tuple(_fields(content.get("multipart/form-data", {}).get("schema", {}), components)),
        fields=tuple(_fields(answer, components)),
        statuses=tuple(sorted(operation["responses"])),
    )


def _with_code(text: str) -> SafeString:
    """A description as HTML: what stands in backquotes is code.

    >>> _with_code("by its `state` & <b>")
    'by its <code>state</code> &amp; &lt;b&gt;'
    """
    pieces = text.split("`")
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", p) if n % 2 else p,) for n, p in enumerate(pieces))
    )


def _parameter(item: dict[str, Any]) -> Parameter:
    return Parameter(
        name=item["name"],
        place=item["in"],
        kind=_kind(item["schema"]),
        choices=tuple(str(value) for value in item["schema"].get("enum", ())),
        text=item.get("description", "").split("\n\n")[0],
    )


def _example(content: dict[str, Any]) -> str:
    """The first example of a body, written out."""
    for example in content.get("examples", {}).values():
        return json.dumps(example["value"], ensure_ascii=False)
    return ""


def _fields(shape: dict[str, Any], components: dict[str, Any]) -> list[Field]:
    """The fields of a body or an answer; a list's are those of its rows."""
    shape = _resolved(shape, components)
    if shape.get("type") == "array":
        shape = _resolved(shape["items"], components)
    if "results" in shape.get("properties", {}):
        shape = _resolved(shape["properties"]["results"]["items"], components)
    required = shape.get("required", ())
    return [
        Field(name, _kind(field), _text(field), name in required)
        for name, field in shape.get("properties", {}).items()
    ]


def _text(field: dict[str, Any]) -> str:
    """A field's help, with its choices behind it; spectacular's own list of choices is left out."""
    text = str(field.get("description", "")).split("\n\n")[0]
    choices = [str(value) for value in field.get("enum", ()) if value not in ("", None)]
    if text.startswith("* `"):
        text = ""
    return " ".join(filter(None, [text, ", ".join(choices) if len(choices) < 20 else ""]))


def _resolved(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = components[name] if name else schema
    return found


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a word or two: ``integer``, ``list of string``, ``Marking``."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for word in ("allOf", "oneOf"):
        if word in schema:
            return _kind(schema[word][0])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    kind = schema.get("type", "any")
    return str(schema.get("format") or (kind if isinstance(kind, str) else " or ".join(kind)))
