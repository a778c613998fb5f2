"""What every API list shares."""

from rest_framework.pagination import CursorPagination


class Pages(CursorPagination):
    """A hundred rows a page, in order of their number; ``next`` and ``previous`` are addresses."""

    page_size = 100
    ordering = "pk"
