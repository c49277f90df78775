"""Server-sent events, resumed after broken connections."""
import json
import time
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional

from ._transport import QueryValue, Response, Transport, backoff, is_passing
from .errors import PalimpsestError, error_of

#: Event with the reason for the end of a connection; the stream continues on the next one.
_FAREWELL = "stream-ended"
#: Event in place of one that the service cannot decode.
_UNREADABLE = "event-unreadable"


class ServerSentEvent(NamedTuple):
    """An event of a stream; ``id`` is the place to resume after."""

    id: str
    event: str
    data: str


def data_of(event: ServerSentEvent) -> Dict[str, Any]:
    """Returns the JSON object of an event."""
    try:
        data = json.loads(event.data)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return data
    detail = "the stream is none of Palimpsest's (an event is no JSON object): is the URL that of its API?"
    raise error_of("unexpected-answer", detail, status=200)


class _Progress:
    def __init__(self, last: Optional[str]) -> None:
        self.last = last
        self.failures = 0
        self.wanted = 0.0
        self.was_connected = False


def server_sent(
    transport: Transport, query: Mapping[str, QueryValue], last_event_id: Optional[str], silence: float
) -> Iterator[ServerSentEvent]:
    """Yields events without end, each once: a broken connection is resumed after the last event."""
    progress = _Progress(last_event_id)
    while True:
        try:
            for event in _connection(transport, query, progress, silence):
                if event.event == _UNREADABLE:
                    detail = f'the service cannot read the event at {event.id}: to go on without it, give last_event_id="{event.id}"'
                    raise error_of("corrupt-event", detail, status=200, problem=data_of(event))
                if event.event != _FAREWELL:
                    yield event
        except PalimpsestError as error:
            if not progress.was_connected or not is_passing(error):
                raise
        progress.failures += 1
        time.sleep(backoff(progress.failures, progress.wanted))


def _connection(
    transport: Transport, query: Mapping[str, QueryValue], progress: _Progress, silence: float
) -> Iterator[ServerSentEvent]:
    headers = {} if progress.last is None else {"last-event-id": progress.last}
    # The service sends heartbeats: silence is a broken connection.
    response = transport.send(
        "GET", ["v1", "stream"], query=query, accept="text/event-stream", headers=headers, timeout=silence
    )
    try:
        if not response.content_type.startswith("text/event-stream"):
            detail = "the answer is none of Palimpsest's (no stream of events): is the URL that of its API?"
            raise error_of("unexpected-answer", detail, status=response.status)
        progress.was_connected = True
        yield from _events(response, progress)
    finally:
        response.close()


def _events(response: Response, progress: _Progress) -> Iterator[ServerSentEvent]:
    name = ""
    data: Optional[str] = None
    for raw in response.lines():
        line = raw.decode("utf-8", "replace")
        if line == "":
            if data is not None:
                progress.failures = 0
                yield ServerSentEvent(progress.last or "", name or "message", data)
            name, data = "", None
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            data = value if data is None else f"{data}\n{value}"
        elif field == "event":
            name = value
        elif field == "id":
            progress.last = value
        elif field == "retry" and value.isdecimal():
            progress.wanted = int(value) / 1000
