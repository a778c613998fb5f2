"""The API's own page: every address out of the schema, with an example, rendered on the server."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.problems import nothing_here

# The rooms of a study in the order of the work.
ORDER = ("studies", "corpora", "blanks", "campaigns", "datasets", "models", "releases", "jobs", "webhooks")


@dataclass(frozen=True)
class Parameter:
    name: str
    place: str
    kind: str
    choices: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Operation:
    """One address: what it is for, its parameters, and the fields of what comes back."""

    method: str
    path: str
    text: str
    parameters: tuple[Parameter, ...]
    fields: tuple[tuple[str, str], ...]

    @property
    def curl(self) -> str:
        """The address with example values in it."""
        return self.path.replace("{slug}", "dogs-and-cats").replace("{id}", "1")


def docs(request: HttpRequest) -> HttpResponse:
    """For whoever is signed in; no script, so that nothing foreign is loaded."""
    context = {
        "groups": sorted(_groups().items(), key=lambda group: ORDER.index(group[0])),
        "base": request.build_absolute_uri("/").rstrip("/"),
        "schema": reverse("api_schema"),
    }
    return render(request, "api/docs.html", context)


@extend_schema(exclude=True)
@api_view(["GET", "POST", "PUT", "PATCH", "DELETE"])
@permission_classes([IsAuthenticated])
def not_found(request: Request) -> Response:
    """An address that the API does not have: a problem in JSON, like every other."""
    raise nothing_here()


@lru_cache(maxsize=1)
def _groups() -> dict[str, list[Operation]]:
    """The schema's operations by tag; the schema does not change while the program runs."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    components = schema["components"]["schemas"]
    groups: dict[str, list[Operation]] = defaultdict(list)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].append(_operation(method, path, operation, components))
    return dict(groups)


def _operation(method: str, path: str, operation: dict[str, Any], components: dict[str, Any]) -> Operation:
    parameters = [
        Parameter(
            name=item["name"],
            place=item["in"],
            kind=_kind(item["schema"]),
            choices=tuple(str(value) for value in item["schema"].get("enum", ())),
            text=item.get("description", "").split("\n\n")[0],
        )
        for item in operation.get("parameters", ())
        if "name" in item  # what every POST takes stands above them all
    ]
    return Operation(
        method=method.upper(),
        path=path,
        text=operation.get("description", ""),
        parameters=tuple(parameters),
        fields=tuple(_fields(operation, components)),
    )


def _fields(operation: dict[str, Any], components: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and kinds of the answer's fields; a list's are those of its rows."""
    success: dict[str, Any] = next(
        (r for status, r in operation["responses"].items() if status.startswith("2")), {}
    )
    content = success.get("content", {})
    shape = _resolved(content.get("application/json", {}).get("schema", {}), components)
    if "results" in shape.get("properties", {}):
        shape = _resolved(shape["properties"]["results"]["items"], components)
    return [(name, _kind(field)) for name, field in shape.get("properties", {}).items()]


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
