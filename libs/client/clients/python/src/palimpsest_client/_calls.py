"""The calls on which the generated operations stand."""
import json
from typing import Any, Iterator, Mapping, Optional, Sequence

from ._transport import Body, QueryValue, Response, Transport
from .errors import error_of

__all__ = ["PATIENT_SECONDS", "Body", "Calls"]

#: Seconds for calls that may wait for a compaction.
PATIENT_SECONDS = 660.0


class Calls:
    """Sends the requests of operations and reads their answers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _send(
        self,
        method: str,
        path: Sequence[str],
        accept: str,
        body: Optional[object],
        data: Optional[Body],
        query: Optional[Mapping[str, QueryValue]],
        idempotency_key: Optional[str],
        if_match: Optional[int],
        timeout: Optional[float],
        whole: bool = True,
    ) -> Response:
        return self._transport.send(
            method,
            path,
            accept=accept,
            body=body,
            data=data,
            query=query,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
            whole=whole,
        )

    def _json(
        self,
        method: str,
        path: Sequence[str],
        *,
        body: Optional[object] = None,
        data: Optional[Body] = None,
        query: Optional[Mapping[str, QueryValue]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        response = self._send(
            method, path, "application/json", body, data, query, idempotency_key, if_match, timeout
        )
        return _parsed(response.body, response.status)

    def _text(
        self,
        method: str,
        path: Sequence[str],
        *,
        data: Optional[Body] = None,
        query: Optional[Mapping[str, QueryValue]] = None,
        timeout: Optional[float] = None,
    ) -> str:
        return self._send(method, path, "*/*", None, data, query, None, None, timeout).body.decode("utf-8", "replace")

    def _lines(
        self,
        method: str,
        path: Sequence[str],
        *,
        query: Optional[Mapping[str, QueryValue]] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[Any]:
        response = self._send(method, path, "application/x-ndjson", None, None, query, None, None, timeout, whole=False)
        try:
            for line in response.lines():
                if line:
                    yield _parsed_line(self._transport, line)
        finally:
            response.close()


def _parsed(body: bytes, status: int) -> Any:
    try:
        return json.loads(body) if body else None
    except (ValueError, RecursionError) as error:
        detail = "the answer is none of Palimpsest's (no JSON): is the URL that of its API?"
        raise error_of("unexpected-answer", detail, status=status) from error


def _parsed_line(transport: Transport, line: bytes) -> Any:
    """A line that is cut off is the end of a broken connection."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise transport.unreachable(error) from error
