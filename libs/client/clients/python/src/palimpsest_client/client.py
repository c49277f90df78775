"""The client."""
from types import TracebackType
from typing import Any, Dict, Iterator, NamedTuple, Optional, Sequence, Type, Union

from ._stream import data_of, server_sent
from ._transport import Transport
from .operations import Operations

#: Seconds without data or heartbeat after which the connection of a stream is replaced.
_SILENCE_SECONDS = 45.0


class StreamedEvent(NamedTuple):
    """An event of the log; ``position`` resumes a stream after it."""

    position: str
    event: Dict[str, Any]


class Palimpsest(Operations):
    """Client of the Palimpsest API. Threads may share it.

    Calls that fail temporarily are retried; all attempts of a write have one idempotency key, so it is executed once.
    Every failure is a :class:`PalimpsestError`.

    :param url: base URL, such as ``http://127.0.0.1:8420``
    :param reason: why text is read, recorded with each read
    :param retries: maximum of retries after temporary failures
    :param timeout: seconds without an answer
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        reason: Optional[str] = None,
        retries: int = 4,
        timeout: float = 60.0,
    ) -> None:
        super().__init__(Transport(url, api_key, reason=reason, retries=retries, timeout=timeout))

    def __enter__(self) -> "Palimpsest":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the kept connections."""
        self._transport.close()

    def stream_events(
        self,
        *,
        session: Union[None, str, Sequence[str]] = None,
        type_: Union[None, str, Sequence[str]] = None,
        from_: Optional[str] = None,
        content: Optional[str] = None,
        last_event_id: Optional[str] = None,
        silence: float = _SILENCE_SECONDS,
    ) -> Iterator[StreamedEvent]:
        """Yields events as they are recorded, without end, each once.

        :param from_: ``start`` or ``now``
        :param content: ``full`` includes text
        :param last_event_id: ``position`` of the last processed event
        """
        query = {"session": session, "type": type_, "from": from_, "content": content}
        for event in server_sent(self._transport, query, last_event_id, silence):
            yield StreamedEvent(event.id, data_of(event))
