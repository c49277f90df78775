"""Errors of calls."""
from typing import Any, Dict, List, Optional


class PalimpsestError(Exception):
    """Every failure of a call.

    ``code`` is stable: the service explains each code at ``/errors/CODE``. The client adds two codes:
    ``service-unreachable`` for a service that does not answer, and ``unexpected-answer`` for an answer of another server.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: Optional[int] = None,
        problem: Optional[Dict[str, Any]] = None,
        retry_after: Optional[float] = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(f"{detail} [{code}]")
        self.code = code
        #: What is wrong and what to do, for people, without content and keys.
        self.detail = detail
        #: HTTP status; ``None`` without an answer.
        self.status = status
        #: All problem details, such as ``remedies``.
        self.problem = problem if problem is not None else {}
        #: Seconds of ``Retry-After``, if given.
        self.retry_after = retry_after
        #: Number of attempts.
        self.attempts = attempts

    @property
    def faults(self) -> List[Dict[str, str]]:
        """Faults of an invalid request: ``at`` and ``problem``."""
        faults = self.problem.get("faults")
        return faults if isinstance(faults, list) else []


class ServiceUnreachable(PalimpsestError):
    """The service did not answer."""


class Unauthenticated(PalimpsestError):
    """401: the API key is missing or invalid."""


class Forbidden(PalimpsestError):
    """403: the key lacks a role or permission."""


class NotFound(PalimpsestError):
    """404: there is no such session, message or other resource."""


class Conflict(PalimpsestError):
    """409 and 412: another write came first, or the state does not allow the request."""


class RateLimited(PalimpsestError):
    """429: a limit of the tenant is exceeded."""


_BY_STATUS = {401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 412: Conflict, 429: RateLimited}


def error_of(
    code: str,
    detail: str,
    *,
    status: Optional[int] = None,
    problem: Optional[Dict[str, Any]] = None,
    retry_after: Optional[float] = None,
) -> PalimpsestError:
    """Returns the error of the class of its status."""
    kind = ServiceUnreachable if status is None else _BY_STATUS.get(status, PalimpsestError)
    return kind(code, detail, status=status, problem=problem, retry_after=retry_after)
