"""Two people at one form, or one person in two tabs.

A form that edits what is there carries what it was opened with: a digest of each of its values, in the hidden
field ``opened``. Sent after somebody else has saved, it is refused: it then says of each value what holds by
now and what was typed, keeps what was typed, and is up to date, so that sending it again is a decision.

- The form: :class:`EditForm`, mixed in first. Its present values are its ``instance`` or ``initial``.
- The view: ``@edit_view`` below ``@study_view``, and ``access.hold`` for the row, so that nobody saves
  between the look and the saving. It answers with ``status=form.status``.
- The template: ``{{ form }}``; one that lays its fields out by hand has ``{{ form.opened }}`` among them and
  ``components/changed_since.html`` above them.

``tests/frame/test_edit_forms.py`` walks every form of every page. The API's way is If-Match
(apps/api/preconditions.py); a card carries the revision of its judgement (apps/annotation/cards.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.db import transaction
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    _Form = forms.BaseForm
else:  # mixed into forms of either kind, each of which has a base of its own
    _Form = object

OPENED = "opened"
_CONFLICT = 409


@dataclass(frozen=True)
class Change:
    """A field that was saved by somebody else since the form was opened: what it holds by now, and what was
    typed here (None where the field was left as it was)."""

    label: str
    now: str
    typed: str | None


class EditForm(_Form):
    """Mixed in, first, into a form that edits what is there.

    ``changed_since`` are the fields that somebody else has saved since it was opened; ``status`` is the HTTP
    status of the page that shows it. A form that does not say what it was opened with (sent by a script of
    one's own) is taken as it is.
    """

    #: Fields whose values are buttons: pressing one is an answer also where it is the one that stood there.
    pressed: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.changed_since: list[Change] = []
        # Worked out when it is shown: until then a form may still be fitted to its task.
        self.fields[OPENED] = forms.CharField(
            required=False, widget=forms.HiddenInput(), initial=self._version
        )

    @property
    def status(self) -> int:
        return _CONFLICT if self.changed_since else 200

    def full_clean(self) -> None:
        super().full_clean()
        if hasattr(self, "cleaned_data"):
            self._compare(self.cleaned_data.pop(OPENED, "") or "")

    def _compare(self, opened: str) -> None:
        """Refuse, and bring up to date, where a value is no longer what the form was opened with."""
        then = dict(part.split(":", 1) for part in opened.split() if ":" in part)
        present = {name: self._stored(name) for name in self._edited()}
        changed = [
            name
            for name, stored in present.items()
            if name in then and digest_of(stored) not in (then[name], digest_of(self._sent(name)))
        ]
        if not changed:
            return
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name in changed:
            sent, field = self._sent(name), self[name]
            is_typed = name in self.pressed or digest_of(sent) != then[name]
            typed = _in_words(field, sent) if is_typed else None
            self.changed_since.append(Change(str(field.label), _in_words(field, present[name]), typed))
            if not is_typed:
                data.setlist(field.html_name, present[name])
        data[self[OPENED].html_name] = self._version()
        self.data: Any = data
        self.add_error(
            None,
            _(
                "Somebody saved something else here after you had opened this page, so nothing of yours is "
                "saved yet. What you typed is still below; send it again to put it in force."
            ),
        )

    def _version(self) -> str:
        return " ".join(f"{name}:{digest_of(self._stored(name))}" for name in self._edited())

    def _edited(self) -> list[str]:
        """The fields whose values go out with the page. A secret does not."""
        hidden = (forms.PasswordInput, forms.FileInput)
        return [
            name
            for name, field in self.fields.items()
            if name != OPENED and not field.disabled and not isinstance(field.widget, hidden)
        ]

    def _stored(self, name: str) -> list[str]:
        """What a browser sends of the field as it is stored."""
        field = self.fields[name]
        value = field.prepare_value(self.get_initial_for_field(field, name))
        if isinstance(field.widget, forms.CheckboxInput):
            return ["on"] if field.widget.check_test(value) else []
        return _plain(field.widget.format_value(value))

    def _sent(self, name: str) -> list[str]:
        html_name = self[name].html_name
        if isinstance(self.fields[name].widget, forms.CheckboxInput):
            return ["on"] if html_name in self.data else []
        listed = getattr(self.data, "getlist", self.data.get)
        return _plain(listed(html_name))


def digest_of(value: Any) -> str:
    """Sixteen characters that tell values apart; of JSON, whatever the order of its names."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def has_moved(request: HttpRequest, shown: Any) -> bool:
    """Whether what a page of buttons showed is something else by now. Its forms have the :func:`digest_of`
    it in the field ``opened``; where nothing was typed there is nothing to keep but the page itself."""
    return request.POST.get(OPENED, "") not in ("", digest_of(shown))


def edit_view(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make what is sent to a view one transaction: rows that it holds (``access.hold``) stay as they are
    until it has answered."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        with transaction.atomic():
            return view(request, *args, **kwargs)

    return inner


def _plain(value: Any) -> list[str]:
    """As it travels: texts without the ends of lines that a browser makes its own, nothing for none."""
    values = value if isinstance(value, list | tuple) else [value]
    texts = [str(one).replace("\r\n", "\n").strip() for one in values if one is not None]
    return sorted(text for text in texts if text)


def _in_words(field: BoundField, values: list[str]) -> str:
    """Values as the page names them."""
    if isinstance(field.field.widget, forms.CheckboxInput):
        return _("yes") if values else _("no")
    names: Mapping[str, str] = _choices_of(field.field)
    return ", ".join(names.get(value, value) for value in values) or "–"


def _choices_of(field: forms.Field) -> dict[str, str]:
    found: dict[str, str] = {}
    for value, name in getattr(field, "choices", ()):
        inner = name if isinstance(name, list | tuple) else [(value, name)]
        found |= {str(key): str(word) for key, word in inner}
    return found
