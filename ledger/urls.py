"""Where drop and hold is found."""

from django.urls import path

from ledger import views

urlpatterns = [
    path("drop-and-hold/", views.drop_and_hold, name="drop_and_hold"),
    path("drop-and-hold/_day/", views._drop_and_hold, name="_drop_and_hold"),
    path("drop-and-hold/<str:day>/<str:table>/count/", views.count, name="count"),
    path("drop-and-hold/<str:day>/<str:table>/<str:code>/", views.figure, name="figure"),
]
