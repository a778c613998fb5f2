"""The OpenAPI file: what drf-spectacular finds in the views, and what is the same everywhere.

Every operation says which problems it may answer, a POST that it takes an Idempotency-Key, and what scope a
token needs for it.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema

from apps.api.idempotency import HEADER, REPLAYED
from apps.api.limits import WINDOW
from apps.api.preconditions import HEADER as IF_MATCH
from apps.api.problems import CONTENT_TYPE, KINDS
from apps.api.scopes import scope_of

_BODY_METHODS = ("post", "put", "patch")

PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "Which kind of problem."},
        "title": {"type": "string", "description": "The kind in words."},
        "status": {"type": "integer", "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What happened this time."},
        "instance": {"type": "string", "format": "uri-reference", "description": "The path."},
        "errors": {
            "type": "array",
            "description": "What is wrong with which part of the request.",
            "items": {
                "type": "object",
                "required": ["detail"],
                "properties": {
                    "detail": {"type": "string"},
                    "pointer": {"type": "string", "description": "JSON pointer into the body."},
                    "parameter": {"type": "string", "description": "A parameter of the query."},
                    "header": {"type": "string", "description": "A header."},
                },
            },
        },
        "current": {"type": "object", "description": "What was to be changed, as it stands now (412)."},
    },
    "example": {
        "type": "/api/v1/docs/#problem-invalid",
        "title": "What was sent can't be taken",
        "status": 422,
        "detail": "Give the study a name.",
        "instance": "/api/v1/studies/",
        "errors": [{"detail": "Give the study a name.", "pointer": "#/name"}],
    },
}

_STANDING = {
    "RateLimit-Policy": "The quota of this token: q requests in w seconds.",
    "RateLimit": f"r requests are left; whole again in t (at most {WINDOW}) seconds.",
}


class Schema(AutoSchema):
    """Adds the scope to each operation; problems are added to the whole (:func:`problems_documented`)."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is not None:
            operation["x-scope"] = str(scope_of(self.view, self.method))
        return operation

    def get_description(self) -> str:  # type: ignore[override]
        """A view's or method's own words, their code in Markdown; a row alone is told from its list."""
        text: str = super().get_description().replace("``", "`")
        return f"One of them. {text}" if getattr(self.view, "action", "") == "retrieve" else text


class BodySchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body takes no field but its own."""

    target_class = "apps.api.bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema | {"additionalProperties": False}


def problems_documented(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """drf-spectacular's hook, run over the finished schema."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    components["responses"] = {_name(status): _response(status) for status in _statuses()}
    components["headers"] = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in _STANDING.items()
    }
    components["parameters"] = {"IdempotencyKey": _key_parameter(), "IfMatch": _match_parameter()}
    for schema in components["schemas"].values():
        _in_markdown(schema)
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            _complete(path, method, operation)
    return result


def _in_markdown(schema: dict[str, Any]) -> None:
    """The code in the docstring of a shape as Markdown has it."""
    if "description" in schema:
        schema["description"] = schema["description"].replace("``", "`")


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    statuses = {400, 401, 403, 406, 429}
    if "{" in path:
        statuses.add(404)
    if method in _BODY_METHODS:
        statuses |= {409, 413, 415, 422}
    elif method == "delete":
        statuses |= {409, 422}
    if "{" in path and method != "get":
        statuses.add(412)
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfMatch"})
    for response in operation["responses"].values():
        headers = response.setdefault("headers", {})
        headers |= {name: {"$ref": f"#/components/headers/{name}"} for name in _STANDING}
    if method == "post":
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IdempotencyKey"})
        for status, response in operation["responses"].items():
            if status.startswith("2"):
                text = "“true” where this answers a request that was done before."
                response["headers"][REPLAYED] = {"description": text, "schema": {"type": "string"}}
    for status in sorted(statuses):
        operation["responses"].setdefault(str(status), {"$ref": f"#/components/responses/{_name(status)}"})
    scope = operation["x-scope"]
    operation["description"] = f"{operation.get('description', '')}\n\nScope: `{scope}`.".strip()


def _statuses() -> list[int]:
    return sorted({kind.status for kind in KINDS.values()} - {500, 405})


def _name(status: int) -> str:
    return f"Problem{status}"


def _response(status: int) -> dict[str, Any]:
    kinds = [kind for kind in KINDS.values() if kind.status == status]
    response: dict[str, Any] = {
        "description": " ".join(f"{kind.title}: {kind.text}" for kind in kinds),
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if status == 401:
        response["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    if status == 429:
        text = "Seconds to wait."
        response["headers"] = {"Retry-After": {"description": text, "schema": {"type": "integer"}}}
    return response


def _match_parameter() -> dict[str, Any]:
    return {
        "name": IF_MATCH,
        "in": "header",
        "required": False,
        "description": "The `ETag` that came when it was read. Where it was changed meanwhile nothing is "
        "done, and the answer (412) has it as it stands now.",
        "schema": {"type": "string"},
    }


def _key_parameter() -> dict[str, Any]:
    return {
        "name": HEADER,
        "in": "header",
        "required": False,
        "description": "A name of your own for this request, such as a UUID. Sent again within 24 hours "
        "with the same body, it gets the same answer and changes nothing.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    }
