"""Django's settings. Every value comes from the environment; `.env.example` explains each variable.

CASINO_ENV=demo (the default) runs on one machine for one person to look at: servers and secrets are made on the
spot. CASINO_ENV=production refuses to start until whoever runs it has said what only they can know.
"""

import datetime
import re
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from casino import environment, profile, roles
from casino.environment import HOME, flag, hour_or_none, hours, one_of, slug, text, time_zone, whole, words
from casino.refusal import Refused
from casino.servers import embedded, folder, postgres

BASE_DIR = HOME
VAR = environment.var_folder()
VERSION = (re.search(r"^# (\d+\.\d+\.\d+)", (HOME / "CHANGELOG.md").read_text()) or ["", "0"])[1]

IS_PRODUCTION = one_of("CASINO_ENV", "demo", ("demo", "production")) == "production"
DEBUG = flag("CASINO_DEBUG", default=False)
if DEBUG and IS_PRODUCTION:
    raise Refused("debug_in_production", "CASINO_DEBUG shows the program's inside to everybody; never in production.")
IS_HTTPS = flag("CASINO_HTTPS", default=IS_PRODUCTION)

# --- The property ---------------------------------------------------------------------------------------------------

CASINO_PROPERTY = slug("CASINO_PROPERTY", "demo")
CASINO_GAMES = environment.folders("CASINO_GAMES")
CASINO_CURRENCY = environment.currency("CASINO_CURRENCY", "USD")
CASINO_PROFILE = one_of("CASINO_PROFILE", "maryland", profile.codes())  # whose rules the house is under
CASINO_ROLLOVER_HOUR = whole("CASINO_ROLLOVER_HOUR", 6, least=0, most=23)  # the gaming day's first hour
CASINO_SHIFTS = hours("CASINO_SHIFTS", CASINO_ROLLOVER_HOUR)  # the hours at which shifts begin, such as 6,14,22
CASINO_CLOSE_HOUR = hour_or_none("CASINO_CLOSE_HOUR")  # at which the clock closes a gaming day; never, if not said
TIME_ZONE = time_zone("CASINO_TIME_ZONE", "America/New_York")
USE_TZ = True
USE_I18N = False
LANGUAGE_CODE = "en-gb"

# --- Secrets and hosts ----------------------------------------------------------------------------------------------

SECRET_KEY_LEAST = 50


def secret_key() -> str:
    if key := text("SECRET_KEY"):
        if IS_PRODUCTION and len(key) < SECRET_KEY_LEAST:
            raise Refused(
                "short_secret_key", f"SECRET_KEY has under {SECRET_KEY_LEAST} letters; set a long random text."
            )
        return key
    if IS_PRODUCTION:
        raise Refused("no_secret_key", "SECRET_KEY is missing. Set it to a long random text that nobody else knows.")
    return folder.secret(VAR, "secret_key")


def allowed_hosts() -> list[str]:
    hosts = words("ALLOWED_HOSTS", () if IS_PRODUCTION else ("localhost", "127.0.0.1", "[::1]", "testserver"))
    if not hosts:
        raise Refused("no_allowed_hosts", "ALLOWED_HOSTS is missing. Set it to the names under which people reach us.")
    if IS_PRODUCTION and "*" in hosts:
        raise Refused(
            "any_host_allowed", "ALLOWED_HOSTS is every name there is. Set it to those that people use for us."
        )
    return hosts


SECRET_KEY = secret_key()
CASINO_METRICS_TOKEN = text("CASINO_METRICS_TOKEN")
ALLOWED_HOSTS = allowed_hosts()
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS", ())

# --- The database ---------------------------------------------------------------------------------------------------

ADDRESSES = embedded.written_addresses(VAR)
DATABASE_URL = text("DATABASE_URL", ADDRESSES.app)
DATABASE_OWNER_URL = text("DATABASE_OWNER_URL", "" if text("DATABASE_URL") else ADDRESSES.owner)
REDIS_URL = text("REDIS_URL", ADDRESSES.redis or "redis://127.0.0.1:6379/0")
POOL_SIZE = whole("CASINO_POOL_SIZE", 0, least=0, most=100)  # connections of a web process; asgi.py asks for some


def database(url: str, **options: Any) -> dict[str, Any]:
    """Django's entry for a PostgreSQL `url`; what libpq knows and Django has no word for goes to OPTIONS."""
    try:
        parts: dict[str, Any] = conninfo_to_dict(url)
    except Exception as problem:
        raise Refused("odd_database_url", f"A database URL can't be read: {str(problem).strip()}.") from None
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", "casino"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "CONN_MAX_AGE": 0 if POOL_SIZE else None,  # without a pool a process keeps its one connection
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"application_name": "casino", "connect_timeout": 5} | parts | options,
    }


def app_database(url: str) -> dict[str, Any]:
    """The connection of pages, terminals, workers and followers: as casino_app, whoever logs in."""
    options: dict[str, Any] = {
        "server_side_binding": True,
        "prepare_threshold": 5,
        # A transaction of ours that sits idle holds back every reader of the log (design, the horizon).
        "options": "-c idle_in_transaction_session_timeout=10s",
    }
    if POOL_SIZE:
        # A pool tries again at longer and longer intervals while the database is away, and would sleep on when it is
        # back; so it gives up before a request does, and the next request begins at once.
        options["pool"] = {"min_size": 1, "max_size": POOL_SIZE, "timeout": 10, "reconnect_timeout": 5}
    entry = database(url, **options)
    if entry["USER"] != postgres.APP:
        entry["OPTIONS"]["assume_role"] = postgres.APP
    return entry


DATABASES = {
    "default": app_database(DATABASE_URL),
    "owner": database(DATABASE_OWNER_URL or DATABASE_URL),  # migrate and rebuild
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Applications ---------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_htmx",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "casino.eventstore",
    "casino",
    "jackpot",
    "ledger",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.headers.content_security_policy",
    "casino.headers.no_store",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "casino.idle.IdleTimeOut",
    "casino.gate.Gate",
    "casino.nul.NoNul",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HOME / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- Log-ins and the browser ----------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = datetime.timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_ENABLE_ACCESS_FAILURE_LOG = True  # what success resets is kept besides, for whoever reads the log of log-ins

# Whoever moves money or gives log-ins has a second factor; who has set one up is asked for it in any mode.
CASINO_SECOND_FACTOR = flag("CASINO_SECOND_FACTOR", default=IS_PRODUCTION)
CASINO_SECOND_FACTOR_ROLES = environment.some_of(
    "CASINO_SECOND_FACTOR_ROLES",
    (roles.PIT_MANAGER, roles.CAGE, roles.COUNT_TEAM, roles.ACCOUNTING, roles.PROGRESSIVE_ADMIN, roles.ADMIN),
    tuple(roles.ROLES),
)
OTP_TOTP_ISSUER = f"Casino {CASINO_PROPERTY}"

SESSION_COOKIE_AGE = 12 * 60 * 60  # a shift and its hand-over
CASINO_IDLE_MINUTES = whole("CASINO_IDLE_MINUTES", 30 if IS_PRODUCTION else 0, least=0, most=720)  # 0: no time-out
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 30 * 24 * 60 * 60 if IS_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if flag("CASINO_BEHIND_PROXY", default=False) else None
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]  # probes speak plain HTTP from inside
X_FRAME_OPTIONS = "DENY"

# --- Files ----------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = HOME / "staticfiles" if IS_PRODUCTION else None  # collectstatic is a step of production only
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.AppDirectoriesFinder", "casino.assets.PlotlyFinder"]
WHITENOISE_USE_FINDERS = not IS_PRODUCTION  # the demo serves files from where they lie
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if IS_PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- The HTTP interface ---------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.web.DeviceToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["casino.gate.ByTable"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.web.StrictJSON"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "casino.web.Pages",
    "PAGE_SIZE": 100,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "casino.web.problem",
    "UNICODE_JSON": False,  # escaped, so that even a half character sent to us can be quoted back
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Casino back-office",
    "DESCRIPTION": "Rounds of live table games, progressives, drop and hold. Money is in whole minor units (_cents).",
    "VERSION": VERSION,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["casino.gate.ByTable"],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {"TransferKindEnum": "casino.api.slip_bodies.KINDS"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Followers of the log -------------------------------------------------------------------------------------------

FOLLOWERS = [
    "casino.projections.BOARD",
    "casino.ratings.RATINGS",
    "casino.alert_board.ALERTS",
    "casino.cash_board.CASH",
    "casino.papers.PAPERS",
    "ledger.projections.BOOKS",
    "ledger.count_board.COUNTS",
    "ledger.cage_board.CAGE",
    "ledger.paper_board.PAPER",
    "ledger.luck_hours.LUCK",
    "ledger.journal.JOURNAL",
    "ledger.investigation_board.INVESTIGATIONS",
    "jackpot.projections.METERS",
    "jackpot.shares.SHARES",
]

# Figures of other apps on the floor's pages: each is called once a page, {table: gaming date} → {table: figures}.
FLOOR_FIGURES = [
    "ledger.queries.days.floor_figures",
    "ledger.queries.luck.floor_luck",
    "casino.queries.alerts.floor_alerts",
]
# What the watch is told of the cage: no arguments → (chip, sentence) of each denomination below zero.
OTHER_BOOKS = {"payout": "jackpot.payout_book.checked"}
CAGE_FLOATS = "ledger.queries.cage.below_zero"
# And of the house: no arguments → (gaming day, sentence) of a day that the clock was refused to close.
REFUSED_CLOSES = "ledger.queries.closing.refused_closes"
# The followers that a tile is made from, and those that come some while after the rest.
FLOOR_READERS = ["board", "books", "luck", "alerts"]
FLOOR_READERS_LATER = ["replays"]

# --- Celery ---------------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
# A message carries nothing and is let go of when it is taken: a worker that dies loses a hint, and beat gives the next
# within a second. Late acknowledgement would add nothing, and restoring messages when Redis comes back ends a worker
# (kombu 5.7).
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A table must never wait for Redis: one short try, and the beat finds what a lost message would have told.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "socket_connect_timeout": 0.2,
    "retry_on_timeout": False,
    "max_retries": 0,
}
CELERY_BROKER_CONNECTION_TIMEOUT = 0.2
# Celery closes the database's connection before and after every task unless told otherwise; a worker keeps its one,
# and casino/celery.py looks before each task whether it still works.
CELERY_DB_REUSE_MAX = 1_000_000
# A tick that found no worker in time is of no use later: the next one sees the same work. None is let go of sooner than
# those that it waits behind, or in a jam it would never be done: silent feeds are looked for every two seconds.
TICK_LIVES_SECONDS = 10.0
CELERY_BEAT_SCHEDULE = {
    name: {"task": name, "schedule": seconds, "options": {"expires": max(seconds, TICK_LIVES_SECONDS)}}
    for name, seconds in (
        ("casino.settle_due", 1.0),
        ("jackpot.fold_links", 1.0),
        ("casino.watch_floor", 10.0),
        ("jackpot.watch_feeds", 2.0),
        ("ledger.deal_again", 20.0),
        ("ledger.close_and_file", 5.0),
    )
}

# --- Words ----------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": one_of("CASINO_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING"))},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},
        "django.security.RequestDataTooBig": {"level": "CRITICAL"},  # it is answered in words; no traceback for it
        "axes": {"level": "WARNING"},
    },
}

# Other hosts of the casino's domain are not ours to bind to HTTPS, and a back-office is on no browser's preload list.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
