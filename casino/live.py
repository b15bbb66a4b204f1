"""Server-sent events: only *that* something moved, at which tables. Pages then fetch their fragments again.

A stream ends itself after half a minute and the browser comes back. When Redis is away it says so and ends, and the
pages go on asking every ten seconds.
"""

import time
from collections.abc import AsyncIterator

import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse
from redis.exceptions import RedisError

CHANNEL = "casino:moved"
LIFE_SECONDS, HEARTBEAT_SECONDS, PATIENCE_SECONDS = 30.0, 10.0, 0.5
RETRY_MS, RETRY_WITHOUT_REDIS_MS = 500, 10_000


async def live(request: HttpRequest) -> StreamingHttpResponse:
    """What moved, for whoever is logged in."""
    # The stream needs no database: its connection goes back to the pool now, not in half a minute.
    await sync_to_async(connections.close_all)()
    return streamed(moves())


def streamed(texts: AsyncIterator[str]) -> StreamingHttpResponse:
    """The texts as a stream of events that nothing on the way keeps back."""
    response = StreamingHttpResponse(texts, content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-cache, no-transform"
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def moves(life_seconds: float = LIFE_SECONDS) -> AsyncIterator[str]:
    """The text of one stream. Messages of the channel are passed on as they are.

    `{"by": …, "position": …, "tables": […]}`: which follower has read on, how far, and what happened at which tables.
    """
    client = redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=PATIENCE_SECONDS,
        socket_timeout=HEARTBEAT_SECONDS + PATIENCE_SECONDS,
    )
    try:
        async with client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            yield f"retry: {RETRY_MS}\nevent: hello\ndata: {{}}\n\n"
            end = time.monotonic() + life_seconds
            while (left := end - time.monotonic()) > 0:
                message = await channel.get_message(timeout=min(left, HEARTBEAT_SECONDS))
                yield f"event: moved\ndata: {message['data'].decode()}\n\n" if message else ": still here\n\n"
    except (RedisError, OSError):
        yield f"retry: {RETRY_WITHOUT_REDIS_MS}\nevent: away\ndata: {{}}\n\n"
    finally:
        await client.aclose()
