"""What a browser may load from our pages, our own files and no script inside a page, and what it may keep of them."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

POLICY = "; ".join(
    [
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'",  # style attributes of charts and of the interface's browsable page
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)

Answer = Callable[[HttpRequest], HttpResponse]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponse]]


@sync_and_async_middleware
def content_security_policy(answer: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Middleware; a view that set a policy of its own keeps it."""
    return _with(answer, "Content-Security-Policy", POLICY)


@sync_and_async_middleware
def no_store(answer: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Middleware: a browser keeps no page, so that Back shows nothing to whoever logs in next at the same screen."""
    return _with(answer, "Cache-Control", "no-store")


def _with(answer: Answer | AsyncAnswer, name: str, value: str) -> Answer | AsyncAnswer:
    def added(response: HttpResponse) -> HttpResponse:
        response.headers.setdefault(name, value)
        return response

    if iscoroutinefunction(answer):

        async def answer_later(request: HttpRequest) -> HttpResponse:
            return added(await answer(request))

        return answer_later

    def answer_now(request: HttpRequest) -> HttpResponse:
        return added(answer(request))

    return answer_now
