"""Signing in and out, invitations, one-time links, and a person's own settings."""

from __future__ import annotations

import logging
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from apps.accounts.models import ApiToken, User
from apps.people import passwords, services
from apps.people.carried_forms import Carried, carried_out_of_date, carried_through, trusted_origins
from apps.people.forms import ApiTokenForm, ForgottenForm, NewPasswordForm, RegistrationForm, SignInForm
from apps.studies import services as studies
from apps.studies.access import access_or_404

logger = logging.getLogger(__name__)

_BACKEND = "django.contrib.auth.backends.ModelBackend"

# Kept in a cookie: a language is chosen before anybody signs in, and may differ between two browsers.
language = login_not_required(set_language)


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signed in: on to the page that was wanted, or to the form that was sent too late."""
        onward = super().form_valid(form)
        carried = self._carried()
        if carried is None:
            return onward
        return render(self.request, "accounts/carried.html", {"carried": carried, "was_signed_out": True})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(carried=self._carried(), **kwargs)

    def _carried(self) -> Carried | None:
        return carried_through(self.request.POST.get("carried", ""), self.get_redirect_url())


@login_not_required
@never_cache
def link(request: HttpRequest, token: str) -> HttpResponse:
    """A one-time link. Opening it shows a button, so that a mail scanner does not use it up."""
    try:
        if request.method != "POST":
            with transaction.atomic():
                services.sign_in_link_open(token)
            return render(request, "accounts/link.html")
        user = services.sign_in_link_use(token)
    except services.LinkError as error:
        return render(request, "accounts/link_refused.html", {"reason": error}, status=410)
    login(request, user, backend=_BACKEND)
    return redirect("home")


@login_not_required
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation: with the account at hand, or by making one."""
    try:
        offer = services.invitation_open(token)
    except services.LinkError as error:
        return render(request, "accounts/link_refused.html", {"reason": error}, status=410)
    form = RegistrationForm(request.POST or None, initial={"email": offer.email})
    if request.method == "POST":
        if request.user.is_authenticated:
            services.invitation_accept(token=token, user=request.user)
            return redirect("home")
        if form.is_valid():
            try:
                user = services.invitation_register(token=token, **form.cleaned_data)
            except ValidationError as error:
                form.add_errors(error)
            else:
                login(request, user, backend=_BACKEND)
                return redirect("home")
    return render(request, "accounts/invitation.html", {"offer": offer, "form": form})


def profile(request: HttpRequest) -> HttpResponse:
    """A person's own settings, studies and API tokens; a new token's secret is shown this once."""
    user = cast(User, request.user)
    form = ApiTokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        _token, request.session["token_secret"] = services.api_token_create(user=user, **form.cleaned_data)
        return redirect("people:profile")
    context = {
        "form": form,
        "secret": request.session.pop("token_secret", None),
        "tokens": user.api_tokens.filter(revoked_at=None),
        "memberships": user.memberships.select_related("study").order_by("study__name", "role"),
    }
    return render(request, "accounts/profile.html", context)


@never_cache
def password(request: HttpRequest) -> HttpResponse:
    """A new password for whoever is signed in; other browsers are signed out."""
    user = cast(User, request.user)
    form = NewPasswordForm(request.POST or None, asks_old=user.has_usable_password())
    if request.method == "POST" and form.is_valid():
        try:
            passwords.password_change(user=user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            user.refresh_from_db()
            update_session_auth_hash(request, user)
            messages.success(
                request,
                _("The new password holds from now on. Other browsers are signed out; API tokens stay."),
            )
            return redirect("people:profile")
    return render(request, "accounts/password.html", {"form": form})


@login_not_required
@never_cache
def password_forgotten(request: HttpRequest) -> HttpResponse:
    """How somebody gets in again: by mail where the host set it up, else by an admin of their study."""
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and settings.EMAIL_URL and form.is_valid():
        passwords.password_link_mail(email=form.cleaned_data["email"])
        return render(request, "accounts/password_mailed.html", {"minutes": passwords.MAIL_MINUTES})
    return render(request, "accounts/password_forgotten.html", {"form": form, "mails": settings.EMAIL_URL})


@login_not_required
@never_cache
def password_reset(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password by a link, and be signed in."""
    form = NewPasswordForm(request.POST or None, asks_old=False)
    try:
        link = passwords.password_link_open(token)
        if request.method == "POST" and form.is_valid():
            user = passwords.password_link_use(token=token, **form.cleaned_data)
            login(request, user, backend=_BACKEND)
            messages.success(request, _("The new password holds from now on. Other browsers are signed out."))
            return redirect("home")
    except services.LinkError as error:
        return render(request, "accounts/link_refused.html", {"reason": error}, status=410)
    except ValidationError as error:
        form.add_error(None, error)
    return render(request, "accounts/password_reset.html", {"form": form, "link": link})


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a study, with every role."""
    user = cast(User, request.user)
    access = access_or_404(user, slug)
    try:
        studies.study_leave(study=access.study, user=user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("You have left the study. What you sent stays under your made-up name."))
    return redirect("people:profile")


@login_not_required
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without this browser's cookie: say what to do, in the product's own words.

    One of this site's own that is only out of date may be sent again. One from an address that the server
    does not know as its own is the host's affair (a proxy that hides the port, say), and no fault of the
    visitor's cookies: the log says which address came and which are trusted.
    """
    came, trusted = request.headers.get("Origin", ""), trusted_origins(request)
    if came and came not in trusted:
        logger.error(
            "A form from %s was refused; trusted are %s. Set PUBLIC_URL to the address that people type, or "
            "let the proxy pass the Host header on with its port.",
            came[:200],
            ", ".join(trusted),
        )
        return render(request, "accounts/origin_refused.html", {"came": came[:200]}, status=403)
    if carried := carried_out_of_date(request):
        return render(request, "accounts/carried.html", {"carried": carried, "was_signed_out": False})
    return render(request, "accounts/csrf_failure.html", status=403)


@login_not_required
def admin_sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """The administration has no sign-in page of its own: it would be one more door to guard.

    Whoever may enter is led on where they were going, also right after signing in; the sign-in page is
    given that address, not this one.
    """
    onward = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, allowed_hosts={request.get_host()}):
        onward = reverse("admin:index")
    if not request.user.is_authenticated:
        return redirect_to_login(onward)
    if not (request.user.is_active and request.user.is_staff):
        text = _("The administration of this server is for those who host it. A study has its own pages.")
        raise PermissionDenied(text)
    return redirect(onward)


@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    user.one_key_answers = "one_key_answers" in request.POST
    user.save(update_fields=["one_key_answers"])
    messages.success(request, _("Saved."))
    return redirect("people:profile")


@require_POST
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = cast(User, request.user)
    token = get_object_or_404(ApiToken, pk=pk, user=user)
    services.api_token_revoke(token=token, actor=user)
    messages.info(request, _("The token no longer works."))
    return redirect("people:profile")
