"""Typed client of Palimpsest, the service that compacts the context of LLM agents. No dependencies."""
from . import types
from .client import Palimpsest, StreamedEvent
from .codes import ErrorCode
from .errors import (
    Conflict,
    Forbidden,
    NotFound,
    PalimpsestError,
    RateLimited,
    ServiceUnreachable,
    Unauthenticated,
)

__all__ = [
    "Conflict",
    "ErrorCode",
    "Forbidden",
    "NotFound",
    "Palimpsest",
    "PalimpsestError",
    "RateLimited",
    "ServiceUnreachable",
    "StreamedEvent",
    "Unauthenticated",
    "types",
]
