"""The files of a page's exhibits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse

from apps.frame.exhibits.figures import Figure
from apps.frame.exhibits.tables import Table

# Each format, its media type, and how it is made.
_OF_TABLES: dict[str, tuple[str, Callable[[Table], str | bytes]]] = {
    "csv": ("text/csv; charset=utf-8", Table.csv),
    "tex": ("application/x-tex; charset=utf-8", Table.latex),
}
_OF_FIGURES: dict[str, tuple[str, Callable[[Figure], str | bytes]]] = {
    "svg": ("image/svg+xml", Figure.svg),
    "png": ("image/png", Figure.png),
    "pdf": ("application/pdf", Figure.pdf),
}

#: What makes each exhibit of a page, by its key; None where there is none.
Exhibits = Mapping[str, Callable[[], Table | Figure | None]]


def exhibit_answer(request: HttpRequest, exhibits: Exhibits, *, name: str) -> HttpResponse | None:
    """The file that ``?as=`` asks for; None where nothing is asked for, so that the page is shown.

    ``exhibits`` makes each by its key (None: there is none under these filters), ``name`` begins the files'
    names. A figure is shown, and downloaded where ``&save`` asks for it; a table is downloaded. 404 for what
    the page doesn't have.
    """
    asked = request.GET.get("as")
    if asked is None:
        return None
    key, _dot, form = asked.rpartition(".")
    exhibit = exhibits[key]() if key in exhibits else None
    if isinstance(exhibit, Table) and form in _OF_TABLES:
        media, write = _OF_TABLES[form]
        return _file(write(exhibit), media, f"{name}-{key}.{form}")
    if isinstance(exhibit, Figure) and form in _OF_FIGURES:
        media, draw = _OF_FIGURES[form]
        picture: HttpResponse = _picture(request, draw(exhibit), media, f"{name}-{key}.{form}")
        return picture
    raise Http404


def _file(content: str | bytes, media: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media, headers=headers)


# An SVG opened by itself has its colours for the dark in a style of its own, and needs nothing else.
@csp_replace({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})  # type: ignore[untyped-decorator]
def _picture(request: HttpRequest, content: str | bytes, media: str, name: str) -> HttpResponse:
    if "save" in request.GET or media == "application/pdf":
        return _file(content, media, name)
    return HttpResponse(content, content_type=media)
