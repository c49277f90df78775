"""Requests with API key, timeouts, retries, proxies and kept connections."""
import base64
import http.client
import json
import random
import socket
import ssl
import threading
import time
import uuid
from typing import BinaryIO, Dict, Iterator, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote, unquote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import PalimpsestError, error_of

#: Bytes, or a file that is read from its current position and, for a retry, again from there.
Body = Union[bytes, BinaryIO]
QueryValue = Union[None, str, int, float, bool, Sequence[str]]

_FIRST_SECONDS = 0.25
_LONGEST_SECONDS = 8.0
#: A longer ``Retry-After`` is left to the caller.
_RETRY_AFTER_MAX = 60.0
#: Temporary failures after which an idempotent request is retried.
_PASSING = frozenset({408, 425, 429, 502, 503, 504})
_CHUNK = 65_536


def is_passing(error: PalimpsestError) -> bool:
    """Whether a retry may succeed."""
    if (error.retry_after or 0.0) > _RETRY_AFTER_MAX:
        return False
    if error.status is None:
        return error.code == "service-unreachable"
    if error.code == "request-in-progress":
        return True
    return error.status in _PASSING and error.code != "compaction-timed-out"


def backoff(attempt: int, retry_after: float = 0.0) -> float:
    """Seconds before the next attempt: exponential with jitter, and at least what the service asks for."""
    cap: float = min(_LONGEST_SECONDS, _FIRST_SECONDS * 2 ** (attempt - 1))
    return retry_after + cap / 2 + cap / 2 * random.random()


def _require_own_route(path: Sequence[str]) -> None:
    """Raises ``invalid-id`` for a segment that URLs resolve even where it is encoded, so that the call reached another route."""
    if "." in path or ".." in path:
        raise PalimpsestError("invalid-id", 'use another ID: URLs resolve "." and ".."')


class Response:
    """An answer whose body is read by the caller. ``close`` gives the connection back."""

    def __init__(self, transport: "Transport", connection: http.client.HTTPConnection, raw: http.client.HTTPResponse) -> None:
        self._transport = transport
        self._connection: Optional[http.client.HTTPConnection] = connection
        self.raw = raw
        self.status = raw.status
        #: The whole body, if it was asked for with the request.
        self.body = b""

    @property
    def content_type(self) -> str:
        return self.raw.headers.get("content-type") or ""

    def read(self) -> bytes:
        """Returns the whole body. Raises :class:`PalimpsestError` if the connection breaks."""
        try:
            return self.raw.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._transport.unreachable(error) from error
        finally:
            self.close()

    def lines(self) -> Iterator[bytes]:
        """Yields the lines of the body without their ends. Raises :class:`PalimpsestError` if the connection breaks."""
        rest = b""
        try:
            while True:
                # Unlike ``readline``, this tells a chunked body that is cut off from a complete one.
                piece = self.raw.read1(_CHUNK)
                if not piece:
                    if self.raw.length:
                        raise http.client.IncompleteRead(b"", self.raw.length)
                    break
                *whole, rest = (rest + piece).split(b"\n")
                for line in whole:
                    yield line.rstrip(b"\r")
            if rest:
                yield rest
        except (OSError, http.client.HTTPException) as error:
            raise self._transport.unreachable(error) from error
        finally:
            self.close()

    def close(self) -> None:
        # Another call may use the connection as soon as it is given back.
        connection, self._connection = self._connection, None
        if connection is not None:
            self._transport.release(connection, self.raw)


class Proxy:
    """The proxy of a URL, as ``HTTP_PROXY``, ``HTTPS_PROXY`` and ``NO_PROXY`` name it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "//" in url else "http://" + url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError("give a proxy such as http://127.0.0.1:3128 in HTTP_PROXY and HTTPS_PROXY")
        self.host = parts.hostname
        self.port = parts.port or 80
        self.headers: Dict[str, str] = {}
        if parts.username is not None:
            login = unquote(parts.username) + ":" + unquote(parts.password or "")
            self.headers["proxy-authorization"] = "Basic " + base64.b64encode(login.encode()).decode()

    @staticmethod
    def of(scheme: str, host: str) -> Optional["Proxy"]:
        url = getproxies().get(scheme)
        return None if not url or proxy_bypass(host) else Proxy(url)


class Transport:
    """Sends requests to one service. Threads may share it."""

    def __init__(self, url: str, api_key: str, *, reason: Optional[str], retries: int, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("give a URL such as http://127.0.0.1:8420")
        self._scheme = parts.scheme
        self._host = parts.hostname
        self._port = parts.port
        self._base = parts.path.rstrip("/")
        self._api_key = api_key
        self._reason = reason
        self._retries = retries
        self._timeout = timeout
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._proxy = Proxy.of(parts.scheme, parts.hostname)
        # A proxy gets the whole URL, unless the connection is tunnelled through it.
        self._origin = f"{parts.scheme}://{parts.netloc}" if self._proxy and self._context is None else ""
        self.is_closed = False

    def close(self) -> None:
        """Closes the kept connections. Calls in progress end by themselves."""
        with self._lock:
            self.is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def send(
        self,
        method: str,
        path: Sequence[str],
        *,
        query: Optional[Mapping[str, QueryValue]] = None,
        body: Optional[object] = None,
        data: Optional[Body] = None,
        accept: str = "application/json",
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        whole: bool = False,
    ) -> Response:
        """Sends a request, and returns its successful answer. All attempts of a write have the same idempotency key.

        :param whole: also reads the body, so that an answer that breaks off is asked for again
        """
        _require_own_route(path)
        sent: Dict[str, str] = {"accept": accept, "authorization": f"Bearer {self._api_key}"}
        if self._reason is not None:
            sent["x-palimpsest-reason"] = quote(self._reason)
        if method != "GET":
            sent["idempotency-key"] = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        if if_match is not None:
            sent["if-match"] = f'"{if_match}"'
        content: Union[None, Body] = data
        if body is not None:
            sent["content-type"] = "application/json"
            content = _json_bytes(body)
        elif data is not None:
            sent["content-type"] = "application/octet-stream"
        sent.update(headers or {})
        if self._origin and self._proxy:
            sent.update(self._proxy.headers)
        target = self._origin + self._base + "/" + "/".join(quote(part, safe="") for part in path) + _query_string(query or {})
        start = data.tell() if data is not None and not isinstance(data, bytes) else 0
        most = self._retries if retries is None else retries
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._attempt(method, target, content, sent, self._timeout if timeout is None else timeout)
                if whole:
                    response.body = response.read()
                return response
            except PalimpsestError as error:
                error.attempts = attempt
                if attempt > most or not is_passing(error):
                    raise
                time.sleep(backoff(attempt, error.retry_after or 0.0))
            if data is not None and not isinstance(data, bytes):
                data.seek(start)

    def unreachable(self, cause: BaseException) -> PalimpsestError:
        """Returns the error of a service that does not answer, or whose answer breaks off."""
        origin = f"{self._scheme}://{self._host}" + (f":{self._port}" if self._port else "")
        # Before Python 3.10 the timeout of a socket is an error of its own.
        why = "no answer in time" if isinstance(cause, (TimeoutError, socket.timeout)) else str(cause) or type(cause).__name__
        detail = f"the service at {origin} cannot be reached ({why}): is it running, and is the URL right?"
        return error_of("service-unreachable", detail)

    def release(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        """Keeps a connection whose answer was read to its end, and closes others."""
        is_reusable = response.isclosed() and not response.will_close
        response.close()
        with self._lock:
            if is_reusable and not self.is_closed and connection.sock is not None:
                if connection not in self._idle:
                    self._idle.append(connection)
                return
        connection.close()

    def _attempt(
        self, method: str, target: str, content: Union[None, Body], headers: Mapping[str, str], timeout: float
    ) -> Response:
        while True:
            with self._lock:
                kept = self._idle.pop() if self._idle else None
            connection = kept if kept is not None else self._connect(timeout)
            try:
                if connection.sock is not None:
                    connection.sock.settimeout(timeout)
                connection.request(method, target, body=content, headers=dict(headers))
                raw = connection.getresponse()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
                connection.close()
                # The service may have closed a kept connection meanwhile: a new one tells.
                if kept is not None and (content is None or isinstance(content, bytes)):
                    continue
                raise self.unreachable(error) from error
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                raise self.unreachable(error) from error
            response = Response(self, connection, raw)
            if 200 <= raw.status < 300:
                return response
            raise problem_in(raw.status, raw.headers.get("retry-after"), response.content_type, response.read())

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        proxy = self._proxy
        if proxy is not None and self._context is not None:
            tunnel = http.client.HTTPSConnection(proxy.host, proxy.port, timeout=timeout, context=self._context)
            tunnel.set_tunnel(self._host, self._port, proxy.headers)
            return tunnel
        if proxy is not None:
            return http.client.HTTPConnection(proxy.host, proxy.port, timeout=timeout)
        if self._context is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)


def problem_in(status: int, retry_after: Optional[str], content_type: str, body: bytes) -> PalimpsestError:
    """Returns the error that an answer describes."""
    seconds = float(retry_after) if retry_after is not None and retry_after.isdecimal() else None
    try:
        problem = json.loads(body) if "json" in content_type else None
    except (ValueError, RecursionError):
        problem = None
    if isinstance(problem, dict) and isinstance(problem.get("code"), str):
        detail = problem.get("detail")
        return error_of(
            problem["code"],
            detail if isinstance(detail, str) else problem["code"],
            status=status,
            problem=problem,
            retry_after=seconds,
        )
    detail = f"the answer is none of Palimpsest's (status {status}): is the URL that of its API?"
    return error_of("unexpected-answer", detail, status=status, retry_after=seconds)


def _json_bytes(body: object) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        # UTF-8 has no half of a surrogate pair; JSON has it as an escape.
        return json.dumps(body).encode("ascii")


def _query_string(query: Mapping[str, QueryValue]) -> str:
    pairs = [(name, _text(one)) for name, value in query.items() for one in _values(value)]
    return "?" + urlencode(pairs) if pairs else ""


def _values(value: QueryValue) -> Sequence[Union[str, int, float, bool]]:
    if value is None:
        return []
    if isinstance(value, (str, int, float, bool)):
        return [value]
    return value


def _text(value: Union[str, int, float, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
