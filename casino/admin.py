"""The site of whoever keeps the log-ins: people with their roles, devices, and who came, was refused, changed what.

The role admin changes it and the auditor reads it; no table of money, no read model and no key of a second factor is
here. Nobody is deleted, since the record names people by their log-in: a log-in is switched off.
"""

from typing import Any

from axes.models import AccessFailureLog, AccessLog
from axes.utils import reset
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from casino import second_factor
from casino.gate import has_role
from casino.models import AccessRefusal, Device
from casino.refusal import Refused
from casino.roles import ADMIN, AUDITOR, ROLES, check_apart

LISTS = {
    "Who may": {"User": "People", "Group": "Roles", "Device": "Devices"},
    "Who came, and did what": {
        "AccessLog": "Log-ins",
        "AccessFailureLog": "Wrong passwords",
        "AccessRefusal": "Refusals",
        "LogEntry": "Changes made here",
    },
}
"""The lists by what they are for, and their names."""


class LogIns(admin.AdminSite):
    """Django's admin, for two roles; who comes here has passed the gate."""

    site_header = site_title = index_title = "Log-ins and devices"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and has_role(request.user, ADMIN, AUDITOR)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """By what they are for a house, and not by the program's parts."""
        apps = super().get_app_list(request, app_label)
        there = {model["object_name"]: model for app in apps for model in app["models"]}
        return [
            {
                "name": title, "app_label": app_label or "admin", "app_url": "", "has_module_perms": True,
                "models": [there[name] | {"name": word} for name, word in words.items() if name in there],
            }
            for title, words in LISTS.items()
            if there.keys() & words.keys()
        ]  # fmt: skip


site = LogIns(name="admin")


class Read(admin.ModelAdmin):
    """To be read by both roles, and changed by none."""

    actions: Any = None
    list_per_page = 100

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Kept(Read):
    """To be read by both roles, and kept by the role admin; nothing is deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, ADMIN)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_role(request.user, ADMIN)


# ------------------------------------------------------------------------------------------------- people


class PersonForm(UserChangeForm):
    """A person's roles, as long as the house does not keep them apart, and not one's own."""

    def clean_groups(self) -> QuerySet[Group]:
        wanted: QuerySet[Group] = self.cleaned_data["groups"]
        names = set(wanted.values_list("name", flat=True))
        try:
            check_apart(names)
        except Refused as refusal:
            raise ValidationError(refusal.message) from None
        if self.instance.pk == self.keeper_pk and names != set(self.instance.groups.values_list("name", flat=True)):
            raise ValidationError("Nobody gives roles to themselves, or takes them; another administrator does.")
        return wanted

    keeper_pk: int | None = None


@admin.register(User, site=site)
class People(Kept, UserAdmin):  # type: ignore[misc]
    """Log-ins. Their names stand in the record, so they are given once."""

    form = PersonForm
    fieldsets = (
        (None, {"fields": ("username", "password", "is_active")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Roles", {"fields": ("groups",)}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    list_display = ("username", "full_name", "roles", "is_active", "has_device", "last_login")
    list_filter = ("is_active", "groups")
    filter_horizontal = ("groups",)
    readonly_fields = ("last_login", "date_joined")
    actions = ("forget_second_factor", "release")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups", "totpdevice_set")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, "username") if obj else self.readonly_fields

    def get_form(self, request: HttpRequest, obj: User | None = None, **options: Any) -> type[forms.ModelForm]:
        form = super().get_form(request, obj, **options)
        form.keeper_pk = request.user.pk
        return form

    @admin.display(description="name", ordering="first_name")
    def full_name(self, person: User) -> str:
        return person.get_full_name()

    @admin.display(description="roles")
    def roles(self, person: User) -> str:
        return ", ".join(group.name.replace("_", " ") for group in person.groups.all()) or "—"

    @admin.display(description="second factor", boolean=True)
    def has_device(self, person: User) -> bool:
        return any(device.confirmed for device in person.totpdevice_set.all())

    @admin.action(description="Take the second factor away from those who lost it", permissions=["change"])
    def forget_second_factor(self, request: HttpRequest, people: QuerySet[User]) -> None:
        for person in people:
            second_factor.forget(person)
            self.log_change(request, person, "Took the second factor away.")
        messages.success(request, "They set up a new device when they log in next.")

    @admin.action(description="Release log-ins that rest after wrong passwords", permissions=["change"])
    def release(self, request: HttpRequest, people: QuerySet[User]) -> None:
        for person in people:
            reset(username=person.get_username())
            self.log_change(request, person, "Released the log-in.")
        messages.success(request, "They may try again at once.")


@admin.register(Group, site=site)
class Roles(Read, GroupAdmin):  # type: ignore[misc]
    """The roles of the house; they come with the program."""

    fields = ("name", "does", "people")
    readonly_fields = ("does", "people")
    list_display = ("name", "does", "people")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        return super().get_queryset(request).prefetch_related("user_set")

    def does(self, group: Group) -> str:
        return ROLES.get(group.name, "no role of the house")

    def people(self, group: Group) -> str:
        return ", ".join(sorted(person.get_username() for person in group.user_set.all() if person.is_active)) or "—"


# ------------------------------------------------------------------------------------------------- devices


@admin.register(Device, site=site)
class Devices(Kept):
    """Terminals and feeds, each bound to one table; a token is shown once."""

    fields = ("name", "table_code", "is_active", "made_at")
    list_display = ("name", "table_code", "is_active", "made_at")
    list_filter = ("is_active",)
    search_fields = ("name", "table_code")
    readonly_fields = ("made_at",)
    actions = ("renew",)

    def get_readonly_fields(self, request: HttpRequest, obj: Device | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, "name", "table_code") if obj else (*self.readonly_fields, "is_active")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        one_line = dict.fromkeys(("name", "table_code"), forms.TextInput)
        return super().get_form(request, obj, change, **options | {"widgets": one_line})

    def save_model(self, request: HttpRequest, obj: Device, form: forms.ModelForm, change: bool) -> None:
        if change:
            return super().save_model(request, obj, form, change)
        made, token = Device.issue(obj.name, obj.table_code)
        obj.pk = made.pk
        self._show(request, made, token)
        return None

    @admin.action(description="Give a new token; the old one stops working", permissions=["change"])
    def renew(self, request: HttpRequest, devices: QuerySet[Device]) -> None:
        for device in devices:
            _, token = Device.issue(device.name, device.table_code)
            self.log_change(request, device, "Gave a new token.")
            self._show(request, device, token)

    def _show(self, request: HttpRequest, device: Device, token: str) -> None:
        messages.warning(request, f"The token of {device.name}, shown this once: {token}")


# ------------------------------------------------------------------------------------------------- who came, did what


@admin.register(AccessLog, site=site)
class LoggedIn(Read):
    list_display = ("attempt_time", "username", "ip_address", "logout_time", "user_agent")
    list_filter = ("attempt_time",)
    search_fields = ("username", "ip_address")
    date_hierarchy = "attempt_time"
    fields = ("attempt_time", "username", "ip_address", "user_agent", "path_info", "logout_time")


@admin.register(AccessFailureLog, site=site)
class WrongPasswords(Read):
    """Wrong names, passwords and codes, at the log-in and where somebody approves."""

    list_display = ("attempt_time", "username", "ip_address", "path_info", "locked_out")
    list_filter = ("locked_out", "attempt_time")
    search_fields = ("username", "ip_address")
    date_hierarchy = "attempt_time"
    fields = ("attempt_time", "username", "ip_address", "user_agent", "path_info", "locked_out")


@admin.register(AccessRefusal, site=site)
class Refusals(Read):
    list_display = ("at", "who", "method", "path", "sentence", "ip_address")
    list_filter = ("at",)
    search_fields = ("who", "path")
    date_hierarchy = "at"


@admin.register(LogEntry, site=site)
class Changes(Read):
    """What administrators changed here."""

    list_display = ("action_time", "user", "content_type", "object_repr", "__str__")
    list_filter = ("action_time", "content_type")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    fields = ("action_time", "user", "content_type", "object_repr", "change_message")
