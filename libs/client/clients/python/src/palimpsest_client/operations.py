# Generated from the OpenAPI document by scripts/python-client.mjs. Do not edit.
"""Every operation of the API as a method."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, Union

from . import types as t
from ._calls import PATIENT_SECONDS, Body, Calls


class Operations(Calls):
    """The operations of the API; their IDs in snake case are the names."""

    def get_liveness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetLivenessResponse:
        """Reports that the process runs."""
        answer: t.GetLivenessResponse = self._json(
            "GET",
            ["health", "live"],
            timeout=timeout,
        )
        return answer

    def get_readiness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetReadinessResponse:
        """Reports whether this process can serve requests."""
        answer: t.GetReadinessResponse = self._json(
            "GET",
            ["health", "ready"],
            timeout=timeout,
        )
        return answer

    def get_health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetHealthResponse:
        """Returns the health of each dependency and projection."""
        answer: t.GetHealthResponse = self._json(
            "GET",
            ["health"],
            timeout=timeout,
        )
        return answer

    def get_metrics(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns the metrics of this process for Prometheus."""
        answer: str = self._text(
            "GET",
            ["metrics"],
            timeout=timeout,
        )
        return answer

    def get_async_api(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetAsyncApiResponse:
        """Returns the AsyncAPI 3 description of the event stream and webhooks."""
        answer: t.GetAsyncApiResponse = self._json(
            "GET",
            ["asyncapi.json"],
            timeout=timeout,
        )
        return answer

    def list_errors(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns an HTML page with every problem code."""
        answer: str = self._text(
            "GET",
            ["errors"],
            timeout=timeout,
        )
        return answer

    def get_error(
        self,
        code: str,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns an HTML page about one problem code and its remedies."""
        answer: str = self._text(
            "GET",
            ["errors", code],
            timeout=timeout,
        )
        return answer

    def sign_in(
        self,
        body: t.SignInRequest,
        *,
        timeout: Optional[float] = None,
    ) -> t.KeyHolder:
        """Signs a browser in with an API key or a sign-in link: the answer sets a session cookie."""
        answer: t.KeyHolder = self._json(
            "POST",
            ["v1", "sign-in"],
            body=body,
            timeout=timeout,
        )
        return answer

    def get_sign_in(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.GetSignInResponse:
        """Returns the key holder of a browser’s session; `null` without one."""
        answer: t.GetSignInResponse = self._json(
            "GET",
            ["v1", "sign-in"],
            timeout=timeout,
        )
        return answer

    def sign_out(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.SignOutResponse:
        """Signs a browser out: the answer removes the session cookie, and a key that a sign-in link has issued is revoked."""
        answer: t.SignOutResponse = self._json(
            "POST",
            ["v1", "sign-out"],
            timeout=timeout,
        )
        return answer

    def add_checkpoint(
        self,
        body: Body,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Cosigns a checkpoint of a log that this installation witnesses (C2SP tlog-witness)."""
        answer: str = self._text(
            "POST",
            ["witness", "add-checkpoint"],
            data=body,
            timeout=timeout,
        )
        return answer

    def get_witnessed_checkpoint(
        self,
        origin: str,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns the checkpoint of a log that this installation has cosigned last."""
        answer: str = self._text(
            "GET",
            ["witness", origin, "checkpoint"],
            timeout=timeout,
        )
        return answer

    def get_witness_keys(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns the keys of this installation's witness as vkeys, one per line."""
        answer: str = self._text(
            "GET",
            ["witness"],
            timeout=timeout,
        )
        return answer

    def export_session_page(
        self,
        session: str,
        *,
        content: Optional[Literal["none", "clear"]] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """Exports a session as one HTML file that works offline and verifies itself with its proof bundle."""
        answer: str = self._text(
            "GET",
            ["v1", "sessions", session, "page"],
            query={"content": content},
            timeout=timeout,
        )
        return answer

    def compose_request(
        self,
        session: str,
        body: Optional[t.ComposeOptions] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Composed:
        """Composes the next provider request of a session."""
        answer: t.Composed = self._json(
            "POST",
            ["v1", "sessions", session, "compose"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def append_and_compose(
        self,
        session: str,
        body: Optional[t.AppendAndComposeRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ComposedByReference:
        """Appends messages, and composes the next request as references to messages of the session."""
        answer: t.ComposedByReference = self._json(
            "POST",
            ["v1", "sessions", session, "append-and-compose"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def report_edits(
        self,
        session: str,
        body: t.ReportEditsRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.EditsReported:
        """Reports the context edits that the provider applied."""
        answer: t.EditsReported = self._json(
            "POST",
            ["v1", "sessions", session, "report-edits"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def report_overflow(
        self,
        session: str,
        body: t.ReportOverflowRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.OverflowAnswer:
        """Reports a context overflow error of the provider."""
        answer: t.OverflowAnswer = self._json(
            "POST",
            ["v1", "sessions", session, "report-overflow"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def append_messages(
        self,
        session: str,
        body: t.AppendMessagesRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ConversationAppended:
        """Appends messages to a session and checks the budget of its next request."""
        answer: t.ConversationAppended = self._json(
            "POST",
            ["v1", "sessions", session, "messages"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def list_messages(
        self,
        session: str,
        *,
        from_: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.MessageWindow:
        """Returns a window of the original messages of a session, oldest first."""
        answer: t.MessageWindow = self._json(
            "GET",
            ["v1", "sessions", session, "messages"],
            query={"from": from_, "limit": limit},
            timeout=timeout,
        )
        return answer

    def complete_turn(
        self,
        session: str,
        body: Optional[t.CompleteTurnRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.CompletedTurn:
        """Ends the current turn and starts the compaction that waits for its end."""
        answer: t.CompletedTurn = self._json(
            "POST",
            ["v1", "sessions", session, "complete-turn"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def report_session_usage(
        self,
        session: str,
        body: t.ReportSessionUsageRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.UsageTaken:
        """Reports the billed usage of one request, apart from its answer."""
        answer: t.UsageTaken = self._json(
            "POST",
            ["v1", "sessions", session, "usage"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def change_settings(
        self,
        session: str,
        body: Optional[t.ChangeSettingsRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Settings:
        """Changes the named settings of a session."""
        answer: t.Settings = self._json(
            "PATCH",
            ["v1", "sessions", session, "settings"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def pin_content(
        self,
        session: str,
        pin: str,
        body: t.PinContentRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.PinContentResponse:
        """Pins content that every request carries, and returns all pins."""
        answer: t.PinContentResponse = self._json(
            "PUT",
            ["v1", "sessions", session, "pins", pin],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def unpin_content(
        self,
        session: str,
        pin: str,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.UnpinContentResponse:
        """Removes a pin and returns the remaining pins."""
        answer: t.UnpinContentResponse = self._json(
            "DELETE",
            ["v1", "sessions", session, "pins", pin],
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def defer_compactions(
        self,
        session: str,
        body: t.DeferCompactionsRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Deferred:
        """Defers automatic compactions while requests still fit."""
        answer: t.Deferred = self._json(
            "POST",
            ["v1", "sessions", session, "defer"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def release_compactions(
        self,
        session: str,
        body: Optional[t.ReasonRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Released:
        """Resumes automatic compactions and starts the deferred one."""
        answer: t.Released = self._json(
            "POST",
            ["v1", "sessions", session, "release"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def open_session(
        self,
        body: t.OpenSessionRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Opened:
        """Opens a session, alone or as the child of another session."""
        answer: t.Opened = self._json(
            "POST",
            ["v1", "sessions"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_sessions(
        self,
        *,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        state: Optional[t.BudgetState] = None,
        parent: Optional[str] = None,
        min_occupancy: Optional[int] = None,
        title: Optional[str] = None,
        sort: Optional[t.SessionSort] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ListSessionsResponse:
        """Lists the sessions of the tenant, latest activity first unless sorted."""
        answer: t.ListSessionsResponse = self._json(
            "GET",
            ["v1", "sessions"],
            query={"agent": agent, "project": project, "user": user, "customer": customer, "label": label, "state": state, "parent": parent, "minOccupancy": min_occupancy, "title": title, "sort": sort, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def iter_sessions(
        self,
        *,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        state: Optional[t.BudgetState] = None,
        parent: Optional[str] = None,
        min_occupancy: Optional[int] = None,
        title: Optional[str] = None,
        sort: Optional[t.SessionSort] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.SessionSummary]:
        """Iterates over all pages. Lists the sessions of the tenant, latest activity first unless sorted."""
        cursor: Optional[str] = None
        while True:
            page = self.list_sessions(agent=agent, project=project, user=user, customer=customer, label=label, state=state, parent=parent, min_occupancy=min_occupancy, title=title, sort=sort, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def fork_session(
        self,
        session: str,
        body: t.ForkSessionRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Forked:
        """Copies the context of a session into a new session."""
        answer: t.Forked = self._json(
            "POST",
            ["v1", "sessions", session, "fork"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def reset_session(
        self,
        session: str,
        body: Optional[t.ResetSessionRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ResetDone:
        """Clears the context down to the current user input; the log keeps everything."""
        answer: t.ResetDone = self._json(
            "POST",
            ["v1", "sessions", session, "reset"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def close_session(
        self,
        session: str,
        body: Optional[t.ReasonRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Closed:
        """Closes a session."""
        answer: t.Closed = self._json(
            "POST",
            ["v1", "sessions", session, "close"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def import_transcript(
        self,
        body: Body,
        *,
        name: Optional[str] = None,
        profile: Optional[str] = None,
        window: Optional[int] = None,
        model: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        subject: Optional[Union[str, List[str]]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ImportResult:
        """Imports a transcript of any supported format and size."""
        answer: t.ImportResult = self._json(
            "POST",
            ["v1", "imports"],
            data=body,
            query={"name": name, "profile": profile, "window": window, "model": model, "agent": agent, "project": project, "label": label, "subject": subject},
            idempotency_key=idempotency_key,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def get_context(
        self,
        session: str,
        *,
        format: Optional[t.WireFormat] = None,
        as_of: Optional[t.AsOf] = None,
        timeout: Optional[float] = None,
    ) -> t.ContextView:
        """Returns the context of a session, now or as of a revision, time or request."""
        answer: t.ContextView = self._json(
            "GET",
            ["v1", "sessions", session, "context"],
            query={"format": format, "asOf": as_of},
            timeout=timeout,
        )
        return answer

    def diff_contexts(
        self,
        session: str,
        *,
        a: t.AsOf,
        b: t.AsOf,
        content: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ContextDiff:
        """Compares the contexts of two states of a session."""
        answer: t.ContextDiff = self._json(
            "GET",
            ["v1", "sessions", session, "diff"],
            query={"a": a, "b": b, "content": content},
            timeout=timeout,
        )
        return answer

    def get_occupancy(
        self,
        session: str,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        bins: Optional[int] = None,
        axis: Optional[Literal["revision", "time"]] = None,
        idle_after_seconds: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.OccupancySeries:
        """Returns the occupancy of a session over its revisions or over time in bins, with the events that changed it."""
        answer: t.OccupancySeries = self._json(
            "GET",
            ["v1", "sessions", session, "occupancy"],
            query={"from": from_, "to": to, "bins": bins, "axis": axis, "idleAfterSeconds": idle_after_seconds},
            timeout=timeout,
        )
        return answer

    def get_retention_map(
        self,
        session: str,
        *,
        from_: Optional[int] = None,
        turns: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.RetentionMap:
        """Returns the effect of each compaction of a session on each turn of a range."""
        answer: t.RetentionMap = self._json(
            "GET",
            ["v1", "sessions", session, "retention-map"],
            query={"from": from_, "turns": turns},
            timeout=timeout,
        )
        return answer

    def export_session(
        self,
        session: str,
        *,
        message: Optional[str] = None,
        as_of: Optional[t.AsOf] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.ExportedMessage]:
        """Exports the messages of a session as NDJSON, as they were appended."""
        answer: Iterator[t.ExportedMessage] = self._lines(
            "GET",
            ["v1", "sessions", session, "export"],
            query={"message": message, "asOf": as_of},
            timeout=timeout,
        )
        return answer

    def list_profiles(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListProfilesResponse:
        """Lists the built-in profiles, the default first."""
        answer: t.ListProfilesResponse = self._json(
            "GET",
            ["v1", "profiles"],
            timeout=timeout,
        )
        return answer

    def get_profile(
        self,
        profile: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ProfileExplanation:
        """Explains a profile field by field."""
        answer: t.ProfileExplanation = self._json(
            "GET",
            ["v1", "profiles", profile],
            timeout=timeout,
        )
        return answer

    def list_session_events(
        self,
        session: str,
        *,
        from_: Optional[int] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.LoggedEvent]:
        """Returns the events of a session up to now, or a window of them, as NDJSON, oldest first."""
        answer: Iterator[t.LoggedEvent] = self._lines(
            "GET",
            ["v1", "sessions", session, "events"],
            query={"from": from_, "limit": limit},
            timeout=timeout,
        )
        return answer

    def get_message(
        self,
        session: str,
        message: str,
        *,
        block: Optional[int] = None,
        call: Optional[str] = None,
        byte: Optional[int] = None,
        bytes: Optional[int] = None,
        line: Optional[int] = None,
        lines: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.StoredMessage:
        """Returns a message, a block or a tool result as it was appended."""
        answer: t.StoredMessage = self._json(
            "GET",
            ["v1", "sessions", session, "messages", message],
            query={"block": block, "call": call, "byte": byte, "bytes": bytes, "line": line, "lines": lines},
            timeout=timeout,
        )
        return answer

    def search_messages(
        self,
        session: str,
        *,
        text: str,
        limit: Optional[int] = None,
        before: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.TextMatches:
        """Searches the original messages of a session for a text, newest first."""
        answer: t.TextMatches = self._json(
            "GET",
            ["v1", "sessions", session, "search"],
            query={"text": text, "limit": limit, "before": before},
            timeout=timeout,
        )
        return answer

    def recall_history(
        self,
        session: str,
        body: Optional[t.RecallHistoryRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.Recalled:
        """Answers a call of the recall_history tool from the recorded history."""
        answer: t.Recalled = self._json(
            "POST",
            ["v1", "sessions", session, "recall"],
            body={} if body is None else body,
            timeout=timeout,
        )
        return answer

    def trace_message(
        self,
        session: str,
        message: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Provenance:
        """Returns the current place of a message: sent, cut, summarized or removed."""
        answer: t.Provenance = self._json(
            "GET",
            ["v1", "sessions", session, "messages", message, "provenance"],
            timeout=timeout,
        )
        return answer

    def get_session(
        self,
        session: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.SessionView:
        """Returns the state, settings, pins and budget of a session."""
        answer: t.SessionView = self._json(
            "GET",
            ["v1", "sessions", session],
            timeout=timeout,
        )
        return answer

    def list_compactions(
        self,
        session: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ListCompactionsResponse:
        """Lists the compactions of a session, newest first."""
        answer: t.ListCompactionsResponse = self._json(
            "GET",
            ["v1", "sessions", session, "compactions"],
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def iter_compactions(
        self,
        session: str,
        *,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.CompactionSummary]:
        """Iterates over all pages. Lists the compactions of a session, newest first."""
        cursor: Optional[str] = None
        while True:
            page = self.list_compactions(session, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def request_compaction(
        self,
        session: str,
        body: Optional[t.CompactionRequest] = None,
        *,
        wait: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.RequestCompactionResponse:
        """Requests a compaction and returns its ID, or its outcome with `wait=true`."""
        answer: t.RequestCompactionResponse = self._json(
            "POST",
            ["v1", "sessions", session, "compactions"],
            body={} if body is None else body,
            query={"wait": wait},
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def explain_compaction(
        self,
        session: str,
        compaction: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Explanation:
        """Explains a compaction: its trigger, plan, attempts, result and cost."""
        answer: t.Explanation = self._json(
            "GET",
            ["v1", "sessions", session, "compactions", compaction],
            timeout=timeout,
        )
        return answer

    def await_outcome(
        self,
        session: str,
        compaction: str,
        *,
        timeout_seconds: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.CompactionOutcome:
        """Waits for the end of a compaction and returns its outcome."""
        answer: t.CompactionOutcome = self._json(
            "GET",
            ["v1", "sessions", session, "compactions", compaction, "outcome"],
            query={"timeoutSeconds": timeout_seconds},
            timeout=timeout if timeout is not None else PATIENT_SECONDS,
        )
        return answer

    def cancel_compaction(
        self,
        session: str,
        compaction: str,
        body: Optional[t.ReasonRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.CancelCompactionResponse:
        """Cancels a compaction."""
        answer: t.CancelCompactionResponse = self._json(
            "POST",
            ["v1", "sessions", session, "compactions", compaction, "cancel"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def revert_compaction(
        self,
        session: str,
        body: Optional[t.RevertCompactionRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.Reverted:
        """Reverts the compaction in force."""
        answer: t.Reverted = self._json(
            "POST",
            ["v1", "sessions", session, "revert"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def plan_compaction(
        self,
        session: str,
        body: Optional[t.PlanCompactionRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.PlanView:
        """Returns the plan of a compaction without running it."""
        answer: t.PlanView = self._json(
            "POST",
            ["v1", "sessions", session, "plan"],
            body={} if body is None else body,
            timeout=timeout,
        )
        return answer

    def compare_profiles(
        self,
        session: str,
        body: Optional[t.CompareProfilesRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.WhatIfView:
        """Compares the compactions of a session under several profiles without running one."""
        answer: t.WhatIfView = self._json(
            "POST",
            ["v1", "sessions", session, "what-if"],
            body={} if body is None else body,
            timeout=timeout,
        )
        return answer

    def change_erasure_policy(
        self,
        body: t.ErasurePolicy,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ErasurePolicy:
        """Sets whether another person has to approve each erasure."""
        answer: t.ErasurePolicy = self._json(
            "PUT",
            ["v1", "erasure-policy"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_erasures(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListErasuresResponse:
        """Lists the erasures of the tenant, newest first."""
        answer: t.ListErasuresResponse = self._json(
            "GET",
            ["v1", "erasures"],
            timeout=timeout,
        )
        return answer

    def request_erasure(
        self,
        body: t.ErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Erasure:
        """Erases content for good: of a data subject, of a session, or of the whole tenant."""
        answer: t.Erasure = self._json(
            "POST",
            ["v1", "erasures"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def show_erasure(
        self,
        erasure: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Erasure:
        """Shows an erasure with its receipt."""
        answer: t.Erasure = self._json(
            "GET",
            ["v1", "erasures", erasure],
            timeout=timeout,
        )
        return answer

    def approve_erasure(
        self,
        erasure: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Erasure:
        """Approves an erasure that another person has requested, and carries it out."""
        answer: t.Erasure = self._json(
            "POST",
            ["v1", "erasures", erasure, "approval"],
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def withdraw_erasure(
        self,
        erasure: str,
        body: t.WithdrawErasureRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Erasure:
        """Withdraws an erasure that has not begun."""
        answer: t.Erasure = self._json(
            "POST",
            ["v1", "erasures", erasure, "withdrawal"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def search_audit(
        self,
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        type: Optional[Union[t.AuditEventType, List[t.AuditEventType]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[t.CompactionEnd] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        correlation: Optional[str] = None,
        compaction: Optional[str] = None,
        lost: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        sort: Optional[t.AuditSort] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.SearchAuditResponse:
        """Searches the audit rows of the tenant."""
        answer: t.SearchAuditResponse = self._json(
            "GET",
            ["v1", "audit"],
            query={"session": session, "agent": agent, "project": project, "user": user, "customer": customer, "label": label, "type": type, "trigger": trigger, "outcome": outcome, "profile": profile, "model": model, "actor": actor, "correlation": correlation, "compaction": compaction, "lost": lost, "since": since, "until": until, "sort": sort, "cursor": cursor, "limit": limit},
            timeout=timeout,
        )
        return answer

    def iter_search_audit(
        self,
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        type: Optional[Union[t.AuditEventType, List[t.AuditEventType]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[t.CompactionEnd] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        correlation: Optional[str] = None,
        compaction: Optional[str] = None,
        lost: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        sort: Optional[t.AuditSort] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.AuditRow]:
        """Iterates over all pages. Searches the audit rows of the tenant."""
        cursor: Optional[str] = None
        while True:
            page = self.search_audit(session=session, agent=agent, project=project, user=user, customer=customer, label=label, type=type, trigger=trigger, outcome=outcome, profile=profile, model=model, actor=actor, correlation=correlation, compaction=compaction, lost=lost, since=since, until=until, sort=sort, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def count_audit_rows(
        self,
        *,
        by: Union[Literal["type", "day", "actor", "outcome", "trigger", "profile", "model", "session", "agent", "project", "user", "customer"], str],
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        type: Optional[Union[t.AuditEventType, List[t.AuditEventType]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[t.CompactionEnd] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        correlation: Optional[str] = None,
        compaction: Optional[str] = None,
        lost: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        timeout: Optional[float] = None,
    ) -> t.AuditTotals:
        """Counts the audit rows that match the filters, by group."""
        answer: t.AuditTotals = self._json(
            "GET",
            ["v1", "audit", "totals"],
            query={"session": session, "agent": agent, "project": project, "user": user, "customer": customer, "label": label, "type": type, "trigger": trigger, "outcome": outcome, "profile": profile, "model": model, "actor": actor, "correlation": correlation, "compaction": compaction, "lost": lost, "since": since, "until": until, "by": by},
            timeout=timeout,
        )
        return answer

    def export_audit(
        self,
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        type: Optional[Union[t.AuditEventType, List[t.AuditEventType]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[t.CompactionEnd] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        correlation: Optional[str] = None,
        compaction: Optional[str] = None,
        lost: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        sort: Optional[t.AuditSort] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.AuditRow]:
        """Exports every audit row that matches the filters."""
        answer: Iterator[t.AuditRow] = self._lines(
            "GET",
            ["v1", "audit", "export"],
            query={"session": session, "agent": agent, "project": project, "user": user, "customer": customer, "label": label, "type": type, "trigger": trigger, "outcome": outcome, "profile": profile, "model": model, "actor": actor, "correlation": correlation, "compaction": compaction, "lost": lost, "since": since, "until": until, "sort": sort},
            timeout=timeout,
        )
        return answer

    def list_audit_reads(
        self,
        *,
        kind: Optional[Literal["audit", "content"]] = None,
        session: Optional[str] = None,
        actor: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ListAuditReadsResponse:
        """Lists the recorded reads of the audit and of text, newest first."""
        answer: t.ListAuditReadsResponse = self._json(
            "GET",
            ["v1", "audit", "reads"],
            query={"kind": kind, "session": session, "actor": actor, "cursor": cursor, "limit": limit},
            timeout=timeout,
        )
        return answer

    def iter_audit_reads(
        self,
        *,
        kind: Optional[Literal["audit", "content"]] = None,
        session: Optional[str] = None,
        actor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.AuditReadRow]:
        """Iterates over all pages. Lists the recorded reads of the audit and of text, newest first."""
        cursor: Optional[str] = None
        while True:
            page = self.list_audit_reads(kind=kind, session=session, actor=actor, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def search_compactions(
        self,
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[Literal["completed", "failed", "skipped", "cancelled", "reverted", "open"]] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        sort: Optional[Literal["-position", "position"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.SearchCompactionsResponse:
        """Searches the compactions of all sessions of the tenant."""
        answer: t.SearchCompactionsResponse = self._json(
            "GET",
            ["v1", "compactions"],
            query={"session": session, "agent": agent, "project": project, "user": user, "customer": customer, "label": label, "trigger": trigger, "outcome": outcome, "profile": profile, "model": model, "actor": actor, "since": since, "until": until, "sort": sort, "cursor": cursor, "limit": limit},
            timeout=timeout,
        )
        return answer

    def iter_search_compactions(
        self,
        *,
        session: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        trigger: Optional[t.Trigger] = None,
        outcome: Optional[Literal["completed", "failed", "skipped", "cancelled", "reverted", "open"]] = None,
        profile: Optional[str] = None,
        model: Optional[str] = None,
        actor: Optional[str] = None,
        since: Optional[t.Instant] = None,
        until: Optional[t.Instant] = None,
        sort: Optional[Literal["-position", "position"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.CompactionRecord]:
        """Iterates over all pages. Searches the compactions of all sessions of the tenant."""
        cursor: Optional[str] = None
        while True:
            page = self.search_compactions(session=session, agent=agent, project=project, user=user, customer=customer, label=label, trigger=trigger, outcome=outcome, profile=profile, model=model, actor=actor, since=since, until=until, sort=sort, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def report_usage(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        agent: Optional[str] = None,
        project: Optional[str] = None,
        user: Optional[str] = None,
        customer: Optional[str] = None,
        label: Optional[Union[str, List[str]]] = None,
        by: Optional[Union[Literal["day", "model", "profile", "tenant", "session", "agent", "project", "user", "customer"], str]] = None,
        timeout: Optional[float] = None,
    ) -> t.UsageTotals:
        """Sums billed tokens, costs and savings by day, model, profile, tenant, session or metadata of sessions."""
        answer: t.UsageTotals = self._json(
            "GET",
            ["v1", "usage"],
            query={"from": from_, "to": to, "agent": agent, "project": project, "user": user, "customer": customer, "label": label, "by": by},
            timeout=timeout,
        )
        return answer

    def list_projections(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListProjectionsResponse:
        """Lists the read models with their position, lag and stopped streams."""
        answer: t.ListProjectionsResponse = self._json(
            "GET",
            ["v1", "projections"],
            timeout=timeout,
        )
        return answer

    def list_stopped_streams(
        self,
        *,
        projection: Optional[Literal["sessions", "compactions", "compaction_turns", "audit_events", "usage_by_day", "tenants", "api_keys", "audit_reads"]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ListStoppedStreamsResponse:
        """Lists the streams of all tenants whose rows are stopped, in log order."""
        answer: t.ListStoppedStreamsResponse = self._json(
            "GET",
            ["v1", "projections", "stopped"],
            query={"projection": projection, "after": after, "limit": limit},
            timeout=timeout,
        )
        return answer

    def retry_stopped_streams(
        self,
        name: str,
        body: Optional[t.RetryStoppedStreamsRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RetriedProjection:
        """Retries the stopped streams of a projection."""
        answer: t.RetriedProjection = self._json(
            "POST",
            ["v1", "projections", name, "retry"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def skip_stopped_stream(
        self,
        name: str,
        body: t.SkipStoppedStreamRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.SkippedProjection:
        """Skips the event that stops a stream in one projection."""
        answer: t.SkippedProjection = self._json(
            "POST",
            ["v1", "projections", name, "skip"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_tenants(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.ListTenantsResponse:
        """Lists all tenants by ID."""
        answer: t.ListTenantsResponse = self._json(
            "GET",
            ["v1", "tenants"],
            query={"after": after, "limit": limit},
            timeout=timeout,
        )
        return answer

    def register_tenant(
        self,
        body: t.RegisterTenantRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IssuedKey:
        """Registers a tenant and creates its first admin key."""
        answer: t.IssuedKey = self._json(
            "POST",
            ["v1", "tenants"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def get_tenant(
        self,
        tenant: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListedTenant:
        """Returns a tenant and its limits."""
        answer: t.ListedTenant = self._json(
            "GET",
            ["v1", "tenants", tenant],
            timeout=timeout,
        )
        return answer

    def get_caller(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.KeyHolder:
        """Returns the tenant, role and permissions of the API key."""
        answer: t.KeyHolder = self._json(
            "GET",
            ["v1", "whoami"],
            timeout=timeout,
        )
        return answer

    def list_keys(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListKeysResponse:
        """Lists the API keys of the tenant, without the keys themselves."""
        answer: t.ListKeysResponse = self._json(
            "GET",
            ["v1", "keys"],
            timeout=timeout,
        )
        return answer

    def create_key(
        self,
        body: t.CreateKeyRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.IssuedKey:
        """Creates an API key; the answer shows it once."""
        answer: t.IssuedKey = self._json(
            "POST",
            ["v1", "keys"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def rotate_key(
        self,
        key: str,
        body: Optional[t.RotateKeyRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RotateKeyResponse:
        """Rotates an API key; the old key stays valid during the overlap."""
        answer: t.RotateKeyResponse = self._json(
            "POST",
            ["v1", "keys", key, "rotate"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def revoke_key(
        self,
        key: str,
        *,
        reason: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RevokeKeyResponse:
        """Revokes an API key at once, in every process."""
        answer: t.RevokeKeyResponse = self._json(
            "DELETE",
            ["v1", "keys", key],
            query={"reason": reason},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def get_limits(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.TenantLimits:
        """Returns the rate limits of the tenant."""
        answer: t.TenantLimits = self._json(
            "GET",
            ["v1", "limits"],
            timeout=timeout,
        )
        return answer

    def change_limits(
        self,
        body: Optional[t.ChangeLimitsRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.TenantLimits:
        """Changes the named rate limits of the tenant."""
        answer: t.TenantLimits = self._json(
            "PUT",
            ["v1", "limits"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_prompts(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListPromptsResponse:
        """Lists the built-in prompts of the summarizers."""
        answer: t.ListPromptsResponse = self._json(
            "GET",
            ["v1", "prompts"],
            timeout=timeout,
        )
        return answer

    def list_own_prompts(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListOwnPromptsResponse:
        """Lists every version of the tenant’s prompts, without their texts."""
        answer: t.ListOwnPromptsResponse = self._json(
            "GET",
            ["v1", "prompts", "own"],
            timeout=timeout,
        )
        return answer

    def get_own_prompt(
        self,
        prompt: str,
        *,
        version: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.GetOwnPromptResponse:
        """Returns a prompt of the tenant with its texts."""
        answer: t.GetOwnPromptResponse = self._json(
            "GET",
            ["v1", "prompts", "own", prompt],
            query={"version": version},
            timeout=timeout,
        )
        return answer

    def register_prompt(
        self,
        prompt: str,
        body: t.RegisterPromptRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.OwnPrompt:
        """Registers a version of a prompt; an unchanged text adds no version."""
        answer: t.OwnPrompt = self._json(
            "POST",
            ["v1", "prompts", "own", prompt],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def get_summarizers(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.TenantSummarizers:
        """Returns the tenant’s summarizers."""
        answer: t.TenantSummarizers = self._json(
            "GET",
            ["v1", "summarizers"],
            timeout=timeout,
        )
        return answer

    def replace_summarizers(
        self,
        body: t.TenantSummarizers,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.TenantSummarizers:
        """Replaces the tenant’s summarizers."""
        answer: t.TenantSummarizers = self._json(
            "PUT",
            ["v1", "summarizers"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_secrets(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListSecretsResponse:
        """Lists the names of the tenant’s secrets."""
        answer: t.ListSecretsResponse = self._json(
            "GET",
            ["v1", "secrets"],
            timeout=timeout,
        )
        return answer

    def put_secret(
        self,
        name: str,
        body: t.PutSecretRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.NamedSecret:
        """Stores a secret of the tenant, sealed; no answer ever contains its value."""
        answer: t.NamedSecret = self._json(
            "PUT",
            ["v1", "secrets", name],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def remove_secret(
        self,
        name: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RemoveSecretResponse:
        """Deletes a secret of the tenant."""
        answer: t.RemoveSecretResponse = self._json(
            "DELETE",
            ["v1", "secrets", name],
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_session_holds(
        self,
        session: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.LegalHolds:
        """Lists the legal holds of a session."""
        answer: t.LegalHolds = self._json(
            "GET",
            ["v1", "sessions", session, "holds"],
            timeout=timeout,
        )
        return answer

    def place_legal_hold(
        self,
        session: str,
        matter: str,
        body: t.Reasoned,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.LegalHold:
        """Places a legal hold on a session, which blocks its erasure until the release."""
        answer: t.LegalHold = self._json(
            "PUT",
            ["v1", "sessions", session, "holds", matter],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def release_legal_hold(
        self,
        session: str,
        matter: str,
        body: t.Reasoned,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.LegalHolds:
        """Releases a legal hold and returns the holds that remain."""
        answer: t.LegalHolds = self._json(
            "POST",
            ["v1", "sessions", session, "holds", matter, "release"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def list_held_sessions(
        self,
        *,
        matter: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ListHeldSessionsResponse:
        """Lists the sessions of the tenant with a legal hold, latest activity first."""
        answer: t.ListHeldSessionsResponse = self._json(
            "GET",
            ["v1", "holds"],
            query={"matter": matter, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def iter_held_sessions(
        self,
        *,
        matter: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.HeldSession]:
        """Iterates over all pages. Lists the sessions of the tenant with a legal hold, latest activity first."""
        cursor: Optional[str] = None
        while True:
            page = self.list_held_sessions(matter=matter, limit=limit, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def get_retention(
        self,
        session: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.SessionProtection:
        """Returns the retention period and the legal holds of a session."""
        answer: t.SessionProtection = self._json(
            "GET",
            ["v1", "sessions", session, "retention"],
            timeout=timeout,
        )
        return answer

    def set_retention(
        self,
        session: str,
        body: t.RetentionRequest,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.RetentionPeriod:
        """Sets the retention period of a session. Shortening requires the mode `governance`, the permission `retention:shorten` and a reason."""
        answer: t.RetentionPeriod = self._json(
            "PUT",
            ["v1", "sessions", session, "retention"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def remove_retention(
        self,
        session: str,
        body: t.Reasoned,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> t.RemoveRetentionResponse:
        """Removes the retention period of a session, as far as its mode permits."""
        answer: t.RemoveRetentionResponse = self._json(
            "POST",
            ["v1", "sessions", session, "retention", "remove"],
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
            timeout=timeout,
        )
        return answer

    def get_retention_defaults(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.RetentionDefaults:
        """Returns the retention periods of new sessions of the tenant."""
        answer: t.RetentionDefaults = self._json(
            "GET",
            ["v1", "retention"],
            timeout=timeout,
        )
        return answer

    def set_retention_defaults(
        self,
        body: t.RetentionDefaults,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RetentionDefaults:
        """Replaces the retention periods of new sessions of the tenant; existing sessions keep theirs."""
        answer: t.RetentionDefaults = self._json(
            "PUT",
            ["v1", "retention"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_webhooks(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListWebhooksResponse:
        """Lists the webhooks of the tenant, without their secrets."""
        answer: t.ListWebhooksResponse = self._json(
            "GET",
            ["v1", "webhooks"],
            timeout=timeout,
        )
        return answer

    def register_webhook(
        self,
        body: t.RegisterWebhookRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RegisterWebhookResponse:
        """Registers a webhook for new events; the answer shows its secret once."""
        answer: t.RegisterWebhookResponse = self._json(
            "POST",
            ["v1", "webhooks"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def get_webhook(
        self,
        webhook: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.Webhook:
        """Returns a webhook, without its secret."""
        answer: t.Webhook = self._json(
            "GET",
            ["v1", "webhooks", webhook],
            timeout=timeout,
        )
        return answer

    def change_webhook(
        self,
        webhook: str,
        body: Optional[t.ChangeWebhookRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Webhook:
        """Changes the named settings of a webhook."""
        answer: t.Webhook = self._json(
            "PATCH",
            ["v1", "webhooks", webhook],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def remove_webhook(
        self,
        webhook: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RemoveWebhookResponse:
        """Removes a webhook with its pending and dead deliveries."""
        answer: t.RemoveWebhookResponse = self._json(
            "DELETE",
            ["v1", "webhooks", webhook],
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def rotate_webhook_secret(
        self,
        webhook: str,
        body: Optional[t.RotateWebhookSecretRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RotateWebhookSecretResponse:
        """Rotates the signing secret; the old secret stays valid during the overlap."""
        answer: t.RotateWebhookSecretResponse = self._json(
            "POST",
            ["v1", "webhooks", webhook, "rotate-secret"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def test_webhook(
        self,
        webhook: str,
        body: Optional[t.TestWebhookRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.TestWebhookResponse:
        """Sends a test event and returns the result of the delivery."""
        answer: t.TestWebhookResponse = self._json(
            "POST",
            ["v1", "webhooks", webhook, "test"],
            body={} if body is None else body,
            timeout=timeout,
        )
        return answer

    def list_deliveries(
        self,
        webhook: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        state: Optional[t.DeliveryState] = None,
        timeout: Optional[float] = None,
    ) -> t.ListDeliveriesResponse:
        """Lists the deliveries of a webhook, newest first."""
        answer: t.ListDeliveriesResponse = self._json(
            "GET",
            ["v1", "webhooks", webhook, "deliveries"],
            query={"limit": limit, "cursor": cursor, "state": state},
            timeout=timeout,
        )
        return answer

    def iter_deliveries(
        self,
        webhook: str,
        *,
        limit: Optional[int] = None,
        state: Optional[t.DeliveryState] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.WebhookDelivery]:
        """Iterates over all pages. Lists the deliveries of a webhook, newest first."""
        cursor: Optional[str] = None
        while True:
            page = self.list_deliveries(webhook, limit=limit, state=state, timeout=timeout, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def replay_delivery(
        self,
        webhook: str,
        delivery: str,
        body: Optional[t.ReplayDeliveryRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookDelivery:
        """Replays a dead delivery from its first attempt."""
        answer: t.WebhookDelivery = self._json(
            "POST",
            ["v1", "webhooks", webhook, "deliveries", delivery, "replay"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def skip_delivery(
        self,
        webhook: str,
        delivery: str,
        body: t.SkipDeliveryRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.WebhookDelivery:
        """Skips a pending delivery: it becomes a dead letter, and the next event of its session is sent."""
        answer: t.WebhookDelivery = self._json(
            "POST",
            ["v1", "webhooks", webhook, "deliveries", delivery, "skip"],
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def list_models(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.ListModelsResponse:
        """Lists the known models with their limits and prices."""
        answer: t.ListModelsResponse = self._json(
            "GET",
            ["v1", "models"],
            timeout=timeout,
        )
        return answer

    def get_model(
        self,
        model: str,
        *,
        timeout: Optional[float] = None,
    ) -> t.FoundModel:
        """Returns the limits and prices of a model."""
        answer: t.FoundModel = self._json(
            "GET",
            ["v1", "models", model],
            timeout=timeout,
        )
        return answer

    def describe_model(
        self,
        model: str,
        body: Optional[t.DescribeModelRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.Model:
        """Sets the tenant’s own limits and prices of a model."""
        answer: t.Model = self._json(
            "PUT",
            ["v1", "models", model],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def forget_model(
        self,
        model: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.ForgetModelResponse:
        """Removes the tenant’s own description of a model."""
        answer: t.ForgetModelResponse = self._json(
            "DELETE",
            ["v1", "models", model],
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def get_log_checkpoint(
        self,
        *,
        quorum: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns the newest signed checkpoint of the tenant's transparency log."""
        answer: str = self._text(
            "GET",
            ["v1", "log", "checkpoint"],
            query={"quorum": quorum},
            timeout=timeout,
        )
        return answer

    def get_log_tile(
        self,
        tile: str,
        *,
        timeout: Optional[float] = None,
    ) -> str:
        """Returns a tile of hashes or an entry bundle of the tenant's transparency log."""
        answer: str = self._json(
            "GET",
            ["v1", "log", "tile", tile],
            timeout=timeout,
        )
        return answer

    def list_log_witnesses(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> t.LogWitnesses:
        """Returns the witnesses of the tenant's transparency log, and the tree that each has cosigned last."""
        answer: t.LogWitnesses = self._json(
            "GET",
            ["v1", "log", "witnesses"],
            timeout=timeout,
        )
        return answer

    def rotate_log_key(
        self,
        body: Optional[t.RotateLogKeyRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> t.RotatedLogKey:
        """Replaces the key of the tenant's transparency log; older proofs stay valid."""
        answer: t.RotatedLogKey = self._json(
            "POST",
            ["v1", "log", "rotate-key"],
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def export_proof(
        self,
        session: str,
        *,
        content: Optional[Literal["clear", "sealed"]] = None,
        since: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Iterator[t.ExportProofResponse]:
        """Exports the proof bundle of a session, which `palimpsest verify` verifies offline."""
        answer: Iterator[t.ExportProofResponse] = self._lines(
            "GET",
            ["v1", "sessions", session, "proof"],
            query={"content": content, "since": since},
            timeout=timeout,
        )
        return answer

    def verify_live(
        self,
        body: Optional[t.VerifyLiveRequest] = None,
        *,
        timeout: Optional[float] = None,
    ) -> t.LiveReport:
        """Verifies every event and row of the installation against its transparency logs. One verification runs at a time, and ends if its caller disconnects."""
        answer: t.LiveReport = self._json(
            "POST",
            ["v1", "log", "verification"],
            body={} if body is None else body,
            timeout=timeout,
        )
        return answer
