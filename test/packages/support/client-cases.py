"""Makes the calls of test/packages/support/client-cases.ts with the Python client: cases on stdin, outcomes on stdout."""
import itertools
import json
import sys
from typing import Any, Dict

from palimpsest_client import Palimpsest, PalimpsestError


def call(client: Palimpsest, case: Dict[str, Any]) -> Any:
    kind = case["call"]
    session = case.get("session", "a")
    if kind == "get":
        return client.get_session(session)
    if kind == "append":
        return client.append_messages(
            session,
            {"messages": [{"role": "user", "content": case.get("text", "Größe \U0001f600")}]},
            idempotency_key=case.get("idempotencyKey"),
            if_match=case.get("ifMatch"),
        )
    if kind == "list":
        return [one["session"] for one in client.iter_sessions(agent="x y", limit=2)]
    if kind == "export":
        return [one["id"] for one in client.export_session(session)]
    if kind == "stream":
        events = client.stream_events(session="a", from_="start")
        return [one.event["n"] for one in itertools.islice(events, case["count"])]
    if kind == "import":
        return client.import_transcript(case["text"].encode("utf-8"), name="t.jsonl")
    raise ValueError(kind)


def outcome(case: Dict[str, Any]) -> Dict[str, Any]:
    options = {"reason": case.get("reason"), "retries": case.get("retries", 4)}
    with Palimpsest(case["url"], "pal_key", **options) as client:
        try:
            return {"result": call(client, case)}
        except PalimpsestError as error:
            return {
                "error": {
                    "code": error.code,
                    "status": error.status,
                    "detail": error.detail,
                    "faults": error.faults,
                    "attempts": error.attempts,
                    "retryAfterSeconds": error.retry_after,
                }
            }


json.dump([outcome(case) for case in json.load(sys.stdin)], sys.stdout)
