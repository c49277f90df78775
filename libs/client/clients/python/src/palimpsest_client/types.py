# Generated from the OpenAPI document by scripts/python-client.mjs. Do not edit.
"""Requests and answers of the API, as dictionaries."""
from typing import Any, Dict, List, Literal, TypedDict, Union

ApiKeyRotation1 = TypedDict(
    "ApiKeyRotation1",
    {
        "by": "str",
        "at": "str",
    },
)


ApiKeyRevocation1 = TypedDict(
    "ApiKeyRevocation1",
    {
        "by": "str",
        "at": "str",
        "reason": "str",
    },
)


ApiKey = TypedDict(
    "ApiKey",
    {
        "keyId": "str",
        "role": "Role",
        "permissions": "List[str]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
        "state": "Literal['active', 'revoked', 'expired']",
        "issuedAt": "str",
        "issuedBy": "str",
        "replacedBy": "Union[str, None]",
        "rotation": "Union[ApiKeyRotation1, None]",
        "revocation": "Union[ApiKeyRevocation1, None]",
        "lastUsedAt": "Union[str, None]",
    },
)


_AppendMessagesRequestRequired = TypedDict(
    "_AppendMessagesRequestRequired",
    {
        "messages": "List[Message]",
    },
)

_AppendMessagesRequestOptional = TypedDict(
    "_AppendMessagesRequestOptional",
    {
        "usage": "Usage",
        "stopReason": "str",
    },
    total=False,
)


class AppendMessagesRequest(_AppendMessagesRequestRequired, _AppendMessagesRequestOptional):
    pass


AppendMessagesResponse = TypedDict(
    "AppendMessagesResponse",
    {
        "appended": "int",
        "known": "int",
        "messages": "int",
        "turn": "int",
        "occupancy": "int",
        "window": "int",
        "state": "BudgetState",
        "compactionId": "Union[str, None]",
        "banner": "Union[BudgetBanner, None]",
    },
)


AsOf = Union[str, int]

AuditEventType = Literal["SessionOpened", "MessageAppended", "UsageReported", "TurnCompleted", "SettingsChanged", "SessionDescribed", "ModelSwitched", "SessionClosed", "ContentPinned", "ContentUnpinned", "ToolCallAbandoned", "ToolResultOffloaded", "ToolOutputsPruned", "ReasoningDropped", "SegmentCollapsed", "RequestCounted", "RequestPartsChanged", "RequestComposed", "RequestRefused", "LadderEntered", "LadderExited", "OverflowReported", "ContextOverflowed", "CompactionOverridden", "ProviderContextEdited", "DuplicateCompactionConfigured", "WarningThresholdReached", "CompactionRequired", "BlockingThresholdReached", "OccupancyFell", "CompactionThresholdHit", "CompactionRequested", "CompactionSkipped", "CompactionStarted", "CompactionAttemptFailed", "CompactionSummaryExceededLimit", "CompactionReasoningDowngraded", "CompactionYieldedNoGain", "CompactionMadeNoProgress", "CompactionCompleted", "CompactionFailed", "CompactionApplied", "CompactionDuplicated", "CompactionAwaited", "ContinuationQueued", "CompactionCancelled", "CompactionCircuitOpened", "CompactionCircuitHalfOpened", "CompactionCircuitClosed", "CompactionReverted", "CompactionDeferred", "CompactionsHeld", "CompactionsReleased", "RetentionPeriodSet", "RetentionPeriodRemoved", "RetentionPeriodEnded", "LegalHoldPlaced", "LegalHoldReleased", "ProjectionSkipped", "SessionReset", "SessionForked", "ApiKeyIssued", "ApiKeyRevoked", "ApiKeyRotated", "LimitsChanged", "ModelConfigured", "ModelRemoved", "PromptRegistered", "RetentionDefaultsSet", "SecretRemoved", "SecretStored", "SummarizersConfigured", "TenantEventSkipped", "TenantRegistered", "WebhookChanged", "WebhookDeliverySkipped", "WebhookRegistered", "WebhookRemoved", "WebhookSecretRotated"]

AuditReadRevisions1 = TypedDict(
    "AuditReadRevisions1",
    {
        "from": "int",
        "to": "int",
    },
)


AuditRead = TypedDict(
    "AuditRead",
    {
        "position": "str",
        "recordedAt": "str",
        "actor": "str",
        "kind": "str",
        "endpoint": "str",
        "session": "Union[str, None]",
        "revisions": "Union[AuditReadRevisions1, None]",
        "filters": "Dict[str, Any]",
        "rows": "Union[int, None]",
        "reason": "Union[str, None]",
    },
)


AuditRow = TypedDict(
    "AuditRow",
    {
        "position": "str",
        "session": "Union[str, None]",
        "revision": "int",
        "type": "str",
        "recordedAt": "str",
        "actor": "str",
        "correlationId": "str",
        "compactionId": "Union[str, None]",
        "trigger": "Union[str, None]",
        "outcome": "Union[str, None]",
        "profile": "Union[str, None]",
        "model": "Union[str, None]",
        "payload": "Dict[str, Any]",
    },
)


AuditSort = Literal["-position", "position", "-time", "time"]

BilledTokens = TypedDict(
    "BilledTokens",
    {
        "input": "int",
        "cacheRead": "int",
        "cacheWrite": "int",
        "output": "int",
    },
)


BudgetBanner = TypedDict(
    "BudgetBanner",
    {
        "state": "BudgetState",
        "occupancy": "int",
        "remedies": "List[Remedy]",
        "threshold": "int",
        "window": "int",
        "ladder": "Union[LadderNote, None]",
        "duplicateCompaction": "bool",
    },
)


BudgetState = Literal["normal", "warning", "critical", "blocking"]

CancelCompactionResponse = TypedDict(
    "CancelCompactionResponse",
    {
        "compactionId": "str",
        "cancelled": "bool",
    },
)


ChangeLimitsRequest = TypedDict(
    "ChangeLimitsRequest",
    {
        "requestsPerSecond": "int",
        "requestsPerMinute": "int",
        "tokensPerMinute": "int",
        "concurrentCompactions": "int",
    },
    total=False,
)


ChangeSettingsRequest = TypedDict(
    "ChangeSettingsRequest",
    {
        "profile": "ProfileSource",
        "overrides": "Dict[str, Any]",
        "window": "int",
        "model": "str",
        "system": "str",
        "tools": "List[Dict[str, Any]]",
        "title": "Union[str, None]",
        "project": "Union[str, None]",
        "user": "Union[str, None]",
        "customer": "Union[str, None]",
        "labels": "Dict[str, Union[str, None]]",
    },
    total=False,
)


ChangeSettingsResponse = TypedDict(
    "ChangeSettingsResponse",
    {
        "profile": "Dict[str, Any]",
        "window": "int",
        "model": "str",
        "title": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "changed": "List[str]",
    },
)


ChangeWebhookRequest = TypedDict(
    "ChangeWebhookRequest",
    {
        "url": "str",
        "label": "str",
        "types": "List[str]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
    },
    total=False,
)


CloseSessionResponse = TypedDict(
    "CloseSessionResponse",
    {
        "session": "str",
        "closed": "Literal[True]",
    },
)


_CompactionOutcomeRequired = TypedDict(
    "_CompactionOutcomeRequired",
    {
        "outcome": "Literal['completed', 'failed', 'skipped', 'cancelled']",
    },
)

_CompactionOutcomeOptional = TypedDict(
    "_CompactionOutcomeOptional",
    {
        "compactionId": "str",
        "trigger": "str",
        "attempts": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
        "summary": "Union[str, None]",
        "durationMs": "int",
        "coveredMessages": "int",
        "retainedFrom": "Union[str, None]",
        "retention": "List[TurnRetention]",
    },
    total=False,
)


class CompactionOutcome(_CompactionOutcomeRequired, _CompactionOutcomeOptional):
    pass


CompactionPlan = TypedDict(
    "CompactionPlan",
    {
        "stages": "List[str]",
        "cut": "Any",
        "countedBefore": "int",
        "splitTurn": "bool",
    },
)


CompactionRecordUsage = TypedDict(
    "CompactionRecordUsage",
    {
        "inputTokens": "int",
        "cacheReadTokens": "int",
        "cacheWriteTokens": "int",
        "outputTokens": "int",
    },
)


CompactionRecord = TypedDict(
    "CompactionRecord",
    {
        "position": "str",
        "session": "str",
        "compactionId": "str",
        "trigger": "str",
        "outcome": "Union[str, None]",
        "profile": "str",
        "actor": "str",
        "attempts": "int",
        "reason": "Union[str, None]",
        "turn": "int",
        "worker": "Union[str, None]",
        "summarizer": "Union[str, None]",
        "model": "Union[str, None]",
        "promptVersion": "Union[str, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "durationMs": "Union[int, None]",
        "usage": "CompactionRecordUsage",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "cost": "Cost",
        "requestedAt": "str",
        "endedAt": "Union[str, None]",
    },
)


CompactionTotalsDoubleRuns = TypedDict(
    "CompactionTotalsDoubleRuns",
    {
        "runs": "int",
        "cost": "Cost",
    },
)


CompactionTotals = TypedDict(
    "CompactionTotals",
    {
        "tokens": "BilledTokens",
        "cost": "Cost",
        "requests": "int",
        "smallerRequests": "int",
        "countedSaved": "int",
        "doubleRuns": "CompactionTotalsDoubleRuns",
        "completed": "int",
        "failed": "int",
        "skipped": "int",
        "cancelled": "int",
        "reverted": "int",
    },
)


CompactionTrigger = Literal["threshold", "explicit", "overflow", "requested-mid-turn", "idle", "model-switched", "policy", "imported"]

CompareProfilesRequest = TypedDict(
    "CompareProfilesRequest",
    {
        "profiles": "List[ProfileSource]",
    },
    total=False,
)


CompareProfilesResponseOutcomesItem = TypedDict(
    "CompareProfilesResponseOutcomesItem",
    {
        "profile": "str",
        "isOwn": "bool",
        "plan": "Union[CompactionPlan, None]",
    },
)


CompareProfilesResponse = TypedDict(
    "CompareProfilesResponse",
    {
        "tokens": "int",
        "window": "int",
        "state": "BudgetState",
        "inFlight": "Union[str, None]",
        "outcomes": "List[CompareProfilesResponseOutcomesItem]",
    },
)


ComparedContext = TypedDict(
    "ComparedContext",
    {
        "revision": "int",
        "tokens": "int",
        "messages": "int",
        "summary": "Union[ComparedSummary, None]",
    },
)


ComparedMessage = TypedDict(
    "ComparedMessage",
    {
        "id": "str",
        "revision": "int",
        "role": "str",
        "turn": "int",
    },
)


ComparedOutputs = TypedDict(
    "ComparedOutputs",
    {
        "onlyInA": "List[Dict[str, Any]]",
        "onlyInB": "List[Dict[str, Any]]",
    },
)


ComparedPin = TypedDict(
    "ComparedPin",
    {
        "pinId": "str",
        "kind": "str",
        "tokens": "int",
    },
)


_ComparedSummaryRequired = TypedDict(
    "_ComparedSummaryRequired",
    {
        "compactionId": "str",
        "kind": "str",
        "tokens": "int",
    },
)

_ComparedSummaryOptional = TypedDict(
    "_ComparedSummaryOptional",
    {
        "text": "Union[str, None]",
    },
    total=False,
)


class ComparedSummary(_ComparedSummaryRequired, _ComparedSummaryOptional):
    pass


CompleteTurnRequest = TypedDict(
    "CompleteTurnRequest",
    {
        "stopReason": "str",
    },
    total=False,
)


_CompleteTurnResponseRequired = TypedDict(
    "_CompleteTurnResponseRequired",
    {
        "turn": "int",
        "completed": "bool",
    },
)

_CompleteTurnResponseOptional = TypedDict(
    "_CompleteTurnResponseOptional",
    {
        "revision": "int",
        "compactionId": "str",
    },
    total=False,
)


class CompleteTurnResponse(_CompleteTurnResponseRequired, _CompleteTurnResponseOptional):
    pass


ComposeRequestRequestContributionsItem = TypedDict(
    "ComposeRequestRequestContributionsItem",
    {
        "name": "str",
        "text": "str",
    },
)


ComposeRequestRequest = TypedDict(
    "ComposeRequestRequest",
    {
        "format": "WireFormat",
        "override": "Reasoned",
        "ladder": "LadderPolicy",
        "contributions": "List[ComposeRequestRequestContributionsItem]",
    },
    total=False,
)


_ComposeRequestResponsePartsRequired = TypedDict(
    "_ComposeRequestResponsePartsRequired",
    {
        "systemPrompt": "str",
        "tools": "str",
    },
)

_ComposeRequestResponsePartsOptional = TypedDict(
    "_ComposeRequestResponsePartsOptional",
    {
        "contributions": "str",
        "client": "str",
    },
    total=False,
)


class ComposeRequestResponseParts(_ComposeRequestResponsePartsRequired, _ComposeRequestResponsePartsOptional):
    """SHA-256 of the parts of the request that are not history"""


ComposeRequestResponse = TypedDict(
    "ComposeRequestResponse",
    {
        "outcome": "Literal['composed']",
        "requestId": "str",
        "format": "WireFormat",
        "revision": "int",
        "turn": "int",
        "window": "int",
        "state": "BudgetState",
        "epoch": "int",
        "stages": "List[str]",
        "notes": "List[WireNote]",
        "occupancy": "int",
        "counted": "int",
        "digest": "str",
        "parts": "ComposeRequestResponseParts",
        "maxOutput": "int",
        "banner": "Union[BudgetBanner, None]",
        "request": "Dict[str, Any]",
        "body": "str",
    },
)


ContentBlock = Dict[str, Any]

Cost = TypedDict(
    "Cost",
    {
        "nanoUsd": "Union[int, None]",
        "unpricedTokens": "int",
    },
)


CountAuditRowsResponseGroupsItem = TypedDict(
    "CountAuditRowsResponseGroupsItem",
    {
        "key": "Union[str, None]",
        "events": "int",
    },
)


CountAuditRowsResponse = TypedDict(
    "CountAuditRowsResponse",
    {
        "events": "int",
        "groups": "List[CountAuditRowsResponseGroupsItem]",
        "omittedGroups": "int",
    },
)


_CreateKeyRequestRequired = TypedDict(
    "_CreateKeyRequestRequired",
    {
        "role": "Role",
    },
)

_CreateKeyRequestOptional = TypedDict(
    "_CreateKeyRequestOptional",
    {
        "permissions": "List[Literal['content:read', 'retention:shorten']]",
        "label": "str",
        "expiresAt": "Union[str, None]",
    },
    total=False,
)


class CreateKeyRequest(_CreateKeyRequestRequired, _CreateKeyRequestOptional):
    pass


DeferCompactionsRequest = TypedDict(
    "DeferCompactionsRequest",
    {
        "until": "Literal['turn-end', 'released']",
        "reason": "str",
    },
)


DeferCompactionsResponse = TypedDict(
    "DeferCompactionsResponse",
    {
        "session": "str",
        "until": "str",
    },
)


Delivery = TypedDict(
    "Delivery",
    {
        "delivery": "str",
        "session": "str",
        "revision": "int",
        "type": "str",
        "state": "DeliveryState",
        "attempts": "int",
        "nextAt": "Union[str, None]",
        "lastOutcome": "Union[str, None]",
        "lastTriedAt": "Union[str, None]",
    },
)


DeliveryState = Literal["pending", "delivered", "dead"]

DescribeModelRequestPricesItemLongPrompt = TypedDict(
    "DescribeModelRequestPricesItemLongPrompt",
    {
        "above": "int",
        "rates": "GivenModelRates",
    },
)


_DescribeModelRequestPricesItemRequired = TypedDict(
    "_DescribeModelRequestPricesItemRequired",
    {
        "rates": "GivenModelRates",
        "evidence": "GivenModelEvidence",
    },
)

_DescribeModelRequestPricesItemOptional = TypedDict(
    "_DescribeModelRequestPricesItemOptional",
    {
        "from": "str",
        "longPrompt": "DescribeModelRequestPricesItemLongPrompt",
        "batchPercent": "int",
    },
    total=False,
)


class DescribeModelRequestPricesItem(_DescribeModelRequestPricesItemRequired, _DescribeModelRequestPricesItemOptional):
    pass


DescribeModelRequest = TypedDict(
    "DescribeModelRequest",
    {
        "vendor": "str",
        "aliases": "List[str]",
        "window": "int",
        "inputMax": "int",
        "outputMax": "int",
        "tokenizer": "str",
        "lifecycle": "ModelLifecycle",
        "prices": "List[DescribeModelRequestPricesItem]",
        "evidence": "GivenModelEvidence",
    },
    total=False,
)


DiffContextsResponseMessages = TypedDict(
    "DiffContextsResponseMessages",
    {
        "onlyInA": "List[ComparedMessage]",
        "onlyInB": "List[ComparedMessage]",
        "changed": "List[ComparedMessage]",
    },
)


DiffContextsResponsePins = TypedDict(
    "DiffContextsResponsePins",
    {
        "onlyInA": "List[ComparedPin]",
        "onlyInB": "List[ComparedPin]",
    },
)


DiffContextsResponse = TypedDict(
    "DiffContextsResponse",
    {
        "a": "ComparedContext",
        "b": "ComparedContext",
        "summaryChanged": "bool",
        "messages": "DiffContextsResponseMessages",
        "droppedOutputs": "ComparedOutputs",
        "pins": "DiffContextsResponsePins",
    },
)


ErasureBarrier1 = TypedDict(
    "ErasureBarrier1",
    {
        "kind": "Literal['hold']",
        "matter": "str",
    },
)


ErasureBarrier2 = TypedDict(
    "ErasureBarrier2",
    {
        "kind": "Literal['retention']",
        "mode": "RetentionMode",
        "until": "str",
    },
)


ErasureBarrier = Union["ErasureBarrier1", "ErasureBarrier2"]

ExplainCompactionResponseOutcome = TypedDict(
    "ExplainCompactionResponseOutcome",
    {
        "status": "str",
    },
)


ExplainCompactionResponseWhy = TypedDict(
    "ExplainCompactionResponseWhy",
    {
        "trigger": "str",
        "actor": "str",
        "occupancy": "int",
        "window": "int",
    },
)


ExplainCompactionResponseAttemptsItem = TypedDict(
    "ExplainCompactionResponseAttemptsItem",
    {
        "attempt": "int",
        "outcome": "str",
    },
)


ExplainCompactionResponseVerified1 = TypedDict(
    "ExplainCompactionResponseVerified1",
    {
        "countedBefore": "int",
        "countedAfter": "int",
    },
)


ExplainCompactionResponseLost1 = TypedDict(
    "ExplainCompactionResponseLost1",
    {
    },
)


ExplainCompactionResponseCovered1 = TypedDict(
    "ExplainCompactionResponseCovered1",
    {
        "messages": "int",
        "from": "str",
        "to": "str",
    },
)


_ExplainCompactionResponseRequired = TypedDict(
    "_ExplainCompactionResponseRequired",
    {
        "session": "str",
        "compactionId": "str",
        "kind": "Literal['compaction', 'reset', 'fork']",
    },
)

_ExplainCompactionResponseOptional = TypedDict(
    "_ExplainCompactionResponseOptional",
    {
        "outcome": "ExplainCompactionResponseOutcome",
        "why": "ExplainCompactionResponseWhy",
        "plan": "Union[CompactionPlan, None]",
        "turns": "List[TurnRetention]",
        "attempts": "List[ExplainCompactionResponseAttemptsItem]",
        "verified": "Union[ExplainCompactionResponseVerified1, None]",
        "lost": "Union[ExplainCompactionResponseLost1, None]",
        "covered": "Union[ExplainCompactionResponseCovered1, None]",
        "previous": "Union[str, None]",
    },
    total=False,
)


class ExplainCompactionResponse(_ExplainCompactionResponseRequired, _ExplainCompactionResponseOptional):
    pass


_ExplainedFieldRequired = TypedDict(
    "_ExplainedFieldRequired",
    {
        "field": "str",
        "says": "str",
        "expects": "str",
        "theme": "str",
        "isDefault": "bool",
    },
)

_ExplainedFieldOptional = TypedDict(
    "_ExplainedFieldOptional",
    {
        "value": "Union[str, float, bool, List[str]]",
    },
    total=False,
)


class ExplainedField(_ExplainedFieldRequired, _ExplainedFieldOptional):
    pass


_ExportSessionResponseRequired = TypedDict(
    "_ExportSessionResponseRequired",
    {
        "id": "str",
        "revision": "int",
        "role": "str",
        "content": "List[Dict[str, Any]]",
    },
)

_ExportSessionResponseOptional = TypedDict(
    "_ExportSessionResponseOptional",
    {
        "synthetic": "Literal['continuation', 'restated']",
    },
    total=False,
)


class ExportSessionResponse(_ExportSessionResponseRequired, _ExportSessionResponseOptional):
    pass


ForgetModelResponse = TypedDict(
    "ForgetModelResponse",
    {
        "model": "str",
        "state": "Literal['forgotten']",
    },
)


_ForkSessionRequestRequired = TypedDict(
    "_ForkSessionRequestRequired",
    {
        "as": "str",
    },
)

_ForkSessionRequestOptional = TypedDict(
    "_ForkSessionRequestOptional",
    {
        "at": "AsOf",
    },
    total=False,
)


class ForkSessionRequest(_ForkSessionRequestRequired, _ForkSessionRequestOptional):
    pass


ForkSessionResponseFrom = TypedDict(
    "ForkSessionResponseFrom",
    {
        "sessionId": "str",
        "revision": "int",
    },
)


ForkSessionResponse = TypedDict(
    "ForkSessionResponse",
    {
        "session": "str",
        "from": "ForkSessionResponseFrom",
        "messages": "int",
        "occupancy": "int",
    },
)


GetAsyncApiResponse = TypedDict(
    "GetAsyncApiResponse",
    {
        "asyncapi": "str",
    },
)


GetContextResponseViolationsItem = TypedDict(
    "GetContextResponseViolationsItem",
    {
        "rule": "str",
        "at": "int",
    },
)


GetContextResponse = TypedDict(
    "GetContextResponse",
    {
        "format": "WireFormat",
        "notes": "List[WireNote]",
        "violations": "List[GetContextResponseViolationsItem]",
        "request": "Dict[str, Any]",
        "requestId": "Union[str, None]",
        "digestMatches": "Union[bool, None]",
        "body": "Union[str, None]",
        "systemPrompt": "str",
        "tools": "List[Dict[str, Any]]",
        "revision": "int",
        "tokens": "int",
        "window": "int",
        "state": "BudgetState",
        "pivot": "Union[str, None]",
        "retainedFrom": "Union[str, None]",
        "retention": "List[TurnRetention]",
    },
)


GetHealthResponseProjectionsItem = TypedDict(
    "GetHealthResponseProjectionsItem",
    {
        "projection": "str",
        "position": "Union[str, None]",
        "lag": "Union[int, None]",
        "stoppedStreams": "int",
        "status": "Literal['ok', 'degraded', 'unknown']",
    },
)


GetHealthResponse = TypedDict(
    "GetHealthResponse",
    {
        "status": "Literal['ready', 'unavailable']",
        "eventStore": "Literal['ok', 'unavailable', 'full']",
        "postgres": "Literal['ok', 'unavailable']",
        "projections": "List[GetHealthResponseProjectionsItem]",
    },
)


GetLivenessResponse = TypedDict(
    "GetLivenessResponse",
    {
        "status": "Literal['live']",
    },
)


GetMessageResponsePart = TypedDict(
    "GetMessageResponsePart",
    {
        "unit": "Literal['bytes', 'lines']",
        "from": "int",
        "count": "int",
        "of": "int",
        "text": "str",
    },
)


_GetMessageResponseRequired = TypedDict(
    "_GetMessageResponseRequired",
    {
        "session": "str",
        "id": "str",
        "revision": "int",
        "role": "str",
        "countedTokens": "int",
        "content": "List[Dict[str, Any]]",
    },
)

_GetMessageResponseOptional = TypedDict(
    "_GetMessageResponseOptional",
    {
        "block": "int",
        "part": "GetMessageResponsePart",
    },
    total=False,
)


class GetMessageResponse(_GetMessageResponseRequired, _GetMessageResponseOptional):
    pass


_GetModelResponseRequired = TypedDict(
    "_GetModelResponseRequired",
    {
        "id": "str",
        "vendor": "str",
        "aliases": "List[str]",
        "window": "int",
        "lifecycle": "ModelLifecycle",
        "prices": "List[ModelPrice]",
        "evidence": "ModelEvidence",
        "origin": "ModelOrigin",
        "seller": "Literal['vendor', 'bedrock', 'vertex', 'router']",
        "rules": "List[str]",
    },
)

_GetModelResponseOptional = TypedDict(
    "_GetModelResponseOptional",
    {
        "inputMax": "int",
        "outputMax": "int",
        "tokenizer": "str",
    },
    total=False,
)


class GetModelResponse(_GetModelResponseRequired, _GetModelResponseOptional):
    pass


GetOccupancyResponseThresholds1 = TypedDict(
    "GetOccupancyResponseThresholds1",
    {
        "warning": "int",
        "trigger": "int",
        "critical": "int",
        "blocking": "int",
    },
)


GetOccupancyResponsePointsItem = TypedDict(
    "GetOccupancyResponsePointsItem",
    {
        "revision": "int",
        "at": "str",
        "occupancy": "int",
        "min": "int",
        "max": "int",
        "system": "int",
        "pinned": "int",
        "summary": "int",
        "tail": "int",
        "window": "int",
    },
)


GetOccupancyResponseMarksItem = TypedDict(
    "GetOccupancyResponseMarksItem",
    {
        "revision": "int",
        "at": "str",
        "type": "str",
        "compactionId": "Union[str, None]",
        "trigger": "Union[str, None]",
        "profile": "Union[str, None]",
        "importedFrom": "Union[str, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "durationMs": "Union[float, None]",
        "nanoUsd": "Union[float, None]",
        "reason": "Union[str, None]",
    },
)


GetOccupancyResponse = TypedDict(
    "GetOccupancyResponse",
    {
        "session": "str",
        "revision": "int",
        "from": "int",
        "to": "int",
        "width": "int",
        "occupancy": "int",
        "window": "int",
        "thresholds": "Union[GetOccupancyResponseThresholds1, None]",
        "points": "List[GetOccupancyResponsePointsItem]",
        "marks": "List[GetOccupancyResponseMarksItem]",
        "omittedMarks": "int",
    },
)


GetOwnPromptResponse = TypedDict(
    "GetOwnPromptResponse",
    {
        "name": "str",
        "version": "int",
        "hash": "str",
        "lengths": "Dict[str, int]",
        "registeredBy": "str",
        "registeredAt": "str",
        "texts": "Dict[str, str]",
    },
)


GetProfileResponse = TypedDict(
    "GetProfileResponse",
    {
        "profile": "str",
        "fields": "List[ExplainedField]",
    },
)


GetReadinessResponse = TypedDict(
    "GetReadinessResponse",
    {
        "status": "Literal['ready']",
    },
)


GetSessionResponseSettings = TypedDict(
    "GetSessionResponseSettings",
    {
        "model": "str",
        "profile": "Dict[str, Any]",
        "limits": "SessionLimits",
    },
)


GetSessionResponseBudget = TypedDict(
    "GetSessionResponseBudget",
    {
        "occupancy": "int",
        "window": "int",
        "state": "BudgetState",
        "ladder": "Union[LadderNote, None]",
        "duplicateCompaction": "bool",
    },
)


GetSessionResponseCompaction1 = TypedDict(
    "GetSessionResponseCompaction1",
    {
        "compactionId": "str",
        "status": "Literal['requested', 'deferred']",
    },
)


GetSessionResponseHold1 = TypedDict(
    "GetSessionResponseHold1",
    {
        "until": "Literal['turn-end', 'released']",
        "by": "str",
        "reason": "str",
        "turn": "int",
    },
)


GetSessionResponse = TypedDict(
    "GetSessionResponse",
    {
        "session": "str",
        "revision": "int",
        "status": "Literal['open', 'closed']",
        "parent": "Union[str, None]",
        "title": "Union[str, None]",
        "agent": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "settings": "GetSessionResponseSettings",
        "budget": "GetSessionResponseBudget",
        "pins": "List[Pin]",
        "messages": "int",
        "turn": "int",
        "isInTurn": "bool",
        "compactions": "int",
        "pivot": "Union[str, None]",
        "compaction": "Union[GetSessionResponseCompaction1, None]",
        "hold": "Union[GetSessionResponseHold1, None]",
    },
)


GetSignInResponse = TypedDict(
    "GetSignInResponse",
    {
        "signedIn": "Union[KeyHolder, None]",
    },
)


_GivenModelEvidenceRequired = TypedDict(
    "_GivenModelEvidenceRequired",
    {
        "source": "str",
        "asOf": "str",
        "confidence": "ModelConfidence",
    },
)

_GivenModelEvidenceOptional = TypedDict(
    "_GivenModelEvidenceOptional",
    {
        "note": "str",
    },
    total=False,
)


class GivenModelEvidence(_GivenModelEvidenceRequired, _GivenModelEvidenceOptional):
    pass


_GivenModelRatesRequired = TypedDict(
    "_GivenModelRatesRequired",
    {
        "input": "float",
        "output": "float",
    },
)

_GivenModelRatesOptional = TypedDict(
    "_GivenModelRatesOptional",
    {
        "cacheRead": "float",
        "cacheWrite": "float",
        "cacheWrite1h": "float",
    },
    total=False,
)


class GivenModelRates(_GivenModelRatesRequired, _GivenModelRatesOptional):
    """US dollars per million tokens"""


ImportTranscriptResponseSessionsItem = TypedDict(
    "ImportTranscriptResponseSessionsItem",
    {
        "session": "str",
        "format": "str",
        "messages": "int",
        "turns": "int",
        "toolCalls": "int",
        "tokens": "int",
        "compactions": "int",
    },
)


ImportTranscriptResponseSkippedItem = TypedDict(
    "ImportTranscriptResponseSkippedItem",
    {
        "line": "int",
        "reason": "str",
    },
)


ImportTranscriptResponse = TypedDict(
    "ImportTranscriptResponse",
    {
        "sessions": "List[ImportTranscriptResponseSessionsItem]",
        "skipped": "List[ImportTranscriptResponseSkippedItem]",
        "skippedLines": "int",
    },
)


Instant = Union[str]

IssuedKey = TypedDict(
    "IssuedKey",
    {
        "tenant": "str",
        "key": "str",
        "keyId": "str",
        "role": "Role",
        "permissions": "List[str]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
    },
)


KeyHolder = TypedDict(
    "KeyHolder",
    {
        "tenant": "str",
        "actor": "str",
        "role": "Role",
        "permissions": "List[Literal['content:read', 'retention:shorten']]",
    },
)


LadderNote = TypedDict(
    "LadderNote",
    {
        "requests": "int",
    },
)


LadderPolicy = Literal["off", "on", "truncate"]

LegalHold = TypedDict(
    "LegalHold",
    {
        "matter": "str",
        "reason": "str",
        "by": "str",
        "at": "str",
    },
)


LegalHolds = TypedDict(
    "LegalHolds",
    {
        "holds": "List[LegalHold]",
    },
)


Limits = TypedDict(
    "Limits",
    {
        "requestsPerSecond": "int",
        "requestsPerMinute": "int",
        "tokensPerMinute": "int",
        "concurrentCompactions": "int",
    },
)


ListAuditReadsResponse = TypedDict(
    "ListAuditReadsResponse",
    {
        "items": "List[AuditRead]",
        "next": "Union[str, None]",
    },
)


ListCompactionsResponseItemsItem = TypedDict(
    "ListCompactionsResponseItemsItem",
    {
        "compactionId": "str",
        "trigger": "str",
        "turn": "int",
        "profile": "str",
        "actor": "str",
        "attempts": "int",
        "outcome": "Union[str, None]",
        "reason": "Union[str, None]",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "summarizer": "Union[str, None]",
        "requestedAt": "str",
        "endedAt": "Union[str, None]",
    },
)


ListCompactionsResponse = TypedDict(
    "ListCompactionsResponse",
    {
        "items": "List[ListCompactionsResponseItemsItem]",
        "next": "Union[str, None]",
    },
)


ListDeliveriesResponse = TypedDict(
    "ListDeliveriesResponse",
    {
        "items": "List[Delivery]",
        "next": "Union[str, None]",
    },
)


ListHeldSessionsResponseItemsItem = TypedDict(
    "ListHeldSessionsResponseItemsItem",
    {
        "session": "str",
        "holds": "List[LegalHold]",
        "period": "Union[RetentionPeriod, None]",
    },
)


ListHeldSessionsResponse = TypedDict(
    "ListHeldSessionsResponse",
    {
        "items": "List[ListHeldSessionsResponseItemsItem]",
        "next": "Union[str, None]",
    },
)


ListKeysResponse = TypedDict(
    "ListKeysResponse",
    {
        "keys": "List[ApiKey]",
    },
)


ListModelsResponse = List["Model"]

ListOwnPromptsResponse = TypedDict(
    "ListOwnPromptsResponse",
    {
        "prompts": "List[PromptVersion]",
    },
)


ListProfilesResponseItem = TypedDict(
    "ListProfilesResponseItem",
    {
        "name": "str",
        "mode": "str",
        "stages": "List[str]",
        "description": "str",
    },
)


ListProfilesResponse = List["ListProfilesResponseItem"]

ListProjectionsResponseItem = TypedDict(
    "ListProjectionsResponseItem",
    {
        "projection": "str",
        "position": "Union[str, None]",
        "events": "int",
        "updatedAt": "Union[str, None]",
        "stoppedStreams": "int",
    },
)


ListProjectionsResponse = List["ListProjectionsResponseItem"]

ListPromptsResponsePromptsItem = TypedDict(
    "ListPromptsResponsePromptsItem",
    {
        "name": "str",
        "version": "str",
        "text": "str",
    },
)


ListPromptsResponse = TypedDict(
    "ListPromptsResponse",
    {
        "version": "str",
        "prompts": "List[ListPromptsResponsePromptsItem]",
    },
)


ListSecretsResponse = TypedDict(
    "ListSecretsResponse",
    {
        "secrets": "List[Secret]",
    },
)


_ListSessionEventsResponseRequired = TypedDict(
    "_ListSessionEventsResponseRequired",
    {
        "revision": "int",
        "type": "str",
        "id": "str",
        "recordedAt": "str",
        "actor": "str",
        "correlationId": "str",
        "data": "Dict[str, Any]",
    },
)

_ListSessionEventsResponseOptional = TypedDict(
    "_ListSessionEventsResponseOptional",
    {
        "withheld": "List[Literal['data']]",
    },
    total=False,
)


class ListSessionEventsResponse(_ListSessionEventsResponseRequired, _ListSessionEventsResponseOptional):
    pass


ListSessionsResponseItemsItem = TypedDict(
    "ListSessionsResponseItemsItem",
    {
        "session": "str",
        "title": "Union[str, None]",
        "agent": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "turns": "int",
        "messages": "int",
        "occupancy": "int",
        "window": "int",
        "state": "str",
        "compactions": "int",
        "revision": "int",
        "profile": "str",
        "model": "str",
        "openedAt": "str",
        "lastActivityAt": "str",
    },
)


ListSessionsResponse = TypedDict(
    "ListSessionsResponse",
    {
        "items": "List[ListSessionsResponseItemsItem]",
        "next": "Union[str, None]",
    },
)


ListStoppedStreamsResponseItemsItem = TypedDict(
    "ListStoppedStreamsResponseItemsItem",
    {
        "projection": "str",
        "stream": "str",
        "tenant": "Union[str, None]",
        "session": "Union[str, None]",
        "revision": "int",
        "position": "str",
        "type": "str",
        "at": "str",
        "error": "str",
        "retryRequested": "bool",
    },
)


ListStoppedStreamsResponse = TypedDict(
    "ListStoppedStreamsResponse",
    {
        "items": "List[ListStoppedStreamsResponseItemsItem]",
        "next": "Union[str, None]",
    },
)


ListTenantsResponse = TypedDict(
    "ListTenantsResponse",
    {
        "items": "List[Tenant]",
        "next": "Union[str, None]",
    },
)


ListWebhooksResponse = TypedDict(
    "ListWebhooksResponse",
    {
        "webhooks": "List[Webhook]",
    },
)


_MessageRequired = TypedDict(
    "_MessageRequired",
    {
        "role": "Literal['user', 'assistant', 'system']",
        "content": "Union[str, List[ContentBlock]]",
    },
)

_MessageOptional = TypedDict(
    "_MessageOptional",
    {
        "id": "str",
        "model": "str",
        "reasoning": "Literal['disposable']",
    },
    total=False,
)


class Message(_MessageRequired, _MessageOptional):
    """A message in Anthropic’s form."""


_ModelRequired = TypedDict(
    "_ModelRequired",
    {
        "id": "str",
        "vendor": "str",
        "aliases": "List[str]",
        "window": "int",
        "lifecycle": "ModelLifecycle",
        "prices": "List[ModelPrice]",
        "evidence": "ModelEvidence",
        "origin": "ModelOrigin",
    },
)

_ModelOptional = TypedDict(
    "_ModelOptional",
    {
        "inputMax": "int",
        "outputMax": "int",
        "tokenizer": "str",
    },
    total=False,
)


class Model(_ModelRequired, _ModelOptional):
    pass


ModelConfidence = Literal["high", "medium", "low"]

_ModelEvidenceRequired = TypedDict(
    "_ModelEvidenceRequired",
    {
        "source": "str",
        "asOf": "str",
        "confidence": "ModelConfidence",
    },
)

_ModelEvidenceOptional = TypedDict(
    "_ModelEvidenceOptional",
    {
        "note": "str",
    },
    total=False,
)


class ModelEvidence(_ModelEvidenceRequired, _ModelEvidenceOptional):
    pass


ModelLifecycle = Literal["active", "deprecated", "retired"]

ModelOrigin = Literal["shipped", "refreshed", "operator", "tenant"]

ModelPriceLongPrompt = TypedDict(
    "ModelPriceLongPrompt",
    {
        "above": "int",
        "rates": "ModelRates",
    },
)


_ModelPriceRequired = TypedDict(
    "_ModelPriceRequired",
    {
        "rates": "ModelRates",
        "evidence": "ModelEvidence",
    },
)

_ModelPriceOptional = TypedDict(
    "_ModelPriceOptional",
    {
        "from": "str",
        "longPrompt": "ModelPriceLongPrompt",
        "batchPercent": "int",
    },
    total=False,
)


class ModelPrice(_ModelPriceRequired, _ModelPriceOptional):
    pass


_ModelRatesRequired = TypedDict(
    "_ModelRatesRequired",
    {
        "input": "float",
        "output": "float",
    },
)

_ModelRatesOptional = TypedDict(
    "_ModelRatesOptional",
    {
        "cacheRead": "float",
        "cacheWrite": "float",
        "cacheWrite1h": "float",
    },
    total=False,
)


class ModelRates(_ModelRatesRequired, _ModelRatesOptional):
    """US dollars per million tokens"""


_OpenSessionRequestRequired = TypedDict(
    "_OpenSessionRequestRequired",
    {
        "session": "str",
    },
)

_OpenSessionRequestOptional = TypedDict(
    "_OpenSessionRequestOptional",
    {
        "model": "str",
        "window": "int",
        "profile": "ProfileSource",
        "system": "str",
        "tools": "List[Dict[str, Any]]",
        "title": "str",
        "agent": "str",
        "project": "str",
        "user": "str",
        "customer": "str",
        "labels": "Dict[str, str]",
        "parent": "str",
        "mandate": "str",
    },
    total=False,
)


class OpenSessionRequest(_OpenSessionRequestRequired, _OpenSessionRequestOptional):
    pass


OpenSessionResponse = TypedDict(
    "OpenSessionResponse",
    {
        "session": "str",
        "model": "str",
        "limits": "SessionLimits",
    },
)


Pin = TypedDict(
    "Pin",
    {
        "pinId": "str",
        "kind": "str",
        "text": "str",
        "tokens": "int",
    },
)


_PinContentRequestRequired = TypedDict(
    "_PinContentRequestRequired",
    {
        "text": "str",
    },
)

_PinContentRequestOptional = TypedDict(
    "_PinContentRequestOptional",
    {
        "kind": "Literal['constraint', 'mandate', 'children', 'plan']",
    },
    total=False,
)


class PinContentRequest(_PinContentRequestRequired, _PinContentRequestOptional):
    pass


PinContentResponse = List["Pin"]

PlanCompactionRequest = TypedDict(
    "PlanCompactionRequest",
    {
        "profile": "ProfileSource",
    },
    total=False,
)


_PlanCompactionResponseRequired = TypedDict(
    "_PlanCompactionResponseRequired",
    {
        "plan": "Union[CompactionPlan, None]",
    },
)

_PlanCompactionResponseOptional = TypedDict(
    "_PlanCompactionResponseOptional",
    {
        "reason": "Dict[str, Any]",
    },
    total=False,
)


class PlanCompactionResponse(_PlanCompactionResponseRequired, _PlanCompactionResponseOptional):
    pass


ProfileSource = Union[str, Dict[str, Any]]

PromptPart = Literal["system", "transcript", "prefix", "sections"]

PromptVersion = TypedDict(
    "PromptVersion",
    {
        "name": "str",
        "version": "int",
        "hash": "str",
        "lengths": "Dict[str, int]",
        "registeredBy": "str",
        "registeredAt": "str",
    },
)


PutSecretRequest = TypedDict(
    "PutSecretRequest",
    {
        "value": "str",
    },
)


ReasonRequest = TypedDict(
    "ReasonRequest",
    {
        "reason": "str",
    },
    total=False,
)


Reasoned = TypedDict(
    "Reasoned",
    {
        "reason": "str",
    },
)


RecallHistoryRequest = Dict[str, Any]

RecallHistoryResponse = TypedDict(
    "RecallHistoryResponse",
    {
        "content": "str",
        "isError": "bool",
        "messages": "List[str]",
    },
)


RecordedOutcome = Literal["completed", "failed", "skipped", "cancelled", "reverted"]

RegisterPromptRequestTexts = TypedDict(
    "RegisterPromptRequestTexts",
    {
        "system": "str",
        "transcript": "str",
        "prefix": "str",
        "sections": "str",
    },
    total=False,
)


RegisterPromptRequest = TypedDict(
    "RegisterPromptRequest",
    {
        "texts": "RegisterPromptRequestTexts",
    },
)


RegisterTenantRequest = TypedDict(
    "RegisterTenantRequest",
    {
        "tenant": "str",
        "name": "str",
    },
)


_RegisterWebhookRequestRequired = TypedDict(
    "_RegisterWebhookRequestRequired",
    {
        "url": "str",
    },
)

_RegisterWebhookRequestOptional = TypedDict(
    "_RegisterWebhookRequestOptional",
    {
        "label": "str",
        "types": "List[str]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
    },
    total=False,
)


class RegisterWebhookRequest(_RegisterWebhookRequestRequired, _RegisterWebhookRequestOptional):
    pass


RegisterWebhookResponse = TypedDict(
    "RegisterWebhookResponse",
    {
        "webhookId": "str",
        "url": "str",
        "label": "str",
        "types": "List[str]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
        "registeredAt": "str",
        "secret": "str",
    },
)


_ReleaseCompactionsResponseRequired = TypedDict(
    "_ReleaseCompactionsResponseRequired",
    {
        "released": "bool",
    },
)

_ReleaseCompactionsResponseOptional = TypedDict(
    "_ReleaseCompactionsResponseOptional",
    {
        "compactionId": "str",
    },
    total=False,
)


class ReleaseCompactionsResponse(_ReleaseCompactionsResponseRequired, _ReleaseCompactionsResponseOptional):
    pass


Remedy = TypedDict(
    "Remedy",
    {
        "remedy": "Literal['wait', 'compact', 'reset', 'reduce-context', 'override', 'shorten', 'truncate-message', 'use-larger-model']",
    },
)


RemoveRetentionResponse = TypedDict(
    "RemoveRetentionResponse",
    {
        "removed": "bool",
    },
)


RemoveSecretResponse = TypedDict(
    "RemoveSecretResponse",
    {
        "name": "str",
        "state": "Literal['removed']",
    },
)


RemoveWebhookResponse = TypedDict(
    "RemoveWebhookResponse",
    {
        "webhookId": "str",
        "state": "Literal['removed']",
    },
)


ReplayDeliveryRequest = TypedDict(
    "ReplayDeliveryRequest",
    {
    },
)


ReportEditsRequest = Any

ReportEditsResponseEdited1 = TypedDict(
    "ReportEditsResponseEdited1",
    {
    },
)


ReportEditsResponseDuplicateCompaction1 = TypedDict(
    "ReportEditsResponseDuplicateCompaction1",
    {
    },
)


ReportEditsResponse = TypedDict(
    "ReportEditsResponse",
    {
        "edited": "Union[ReportEditsResponseEdited1, None]",
        "duplicateCompaction": "Union[ReportEditsResponseDuplicateCompaction1, None]",
    },
)


_ReportOverflowRequestRequired = TypedDict(
    "_ReportOverflowRequestRequired",
    {
        "message": "str",
    },
)

_ReportOverflowRequestOptional = TypedDict(
    "_ReportOverflowRequestOptional",
    {
        "status": "int",
        "code": "str",
    },
    total=False,
)


class ReportOverflowRequest(_ReportOverflowRequestRequired, _ReportOverflowRequestOptional):
    pass


_ReportOverflowResponseRequired = TypedDict(
    "_ReportOverflowResponseRequired",
    {
        "outcome": "Literal['compacted', 'ladder', 'not-an-overflow']",
    },
)

_ReportOverflowResponseOptional = TypedDict(
    "_ReportOverflowResponseOptional",
    {
        "compactionId": "str",
    },
    total=False,
)


class ReportOverflowResponse(_ReportOverflowResponseRequired, _ReportOverflowResponseOptional):
    pass


_ReportSessionUsageRequestRequired = TypedDict(
    "_ReportSessionUsageRequestRequired",
    {
        "usage": "Usage",
    },
)

_ReportSessionUsageRequestOptional = TypedDict(
    "_ReportSessionUsageRequestOptional",
    {
        "model": "str",
    },
    total=False,
)


class ReportSessionUsageRequest(_ReportSessionUsageRequestRequired, _ReportSessionUsageRequestOptional):
    pass


ReportSessionUsageResponse = TypedDict(
    "ReportSessionUsageResponse",
    {
        "recorded": "bool",
        "requestId": "Union[str, None]",
        "countsFor": "Union[Literal['occupancy', 'cost'], None]",
        "occupancy": "int",
        "window": "int",
        "state": "BudgetState",
    },
)


ReportUsageResponseGroupsItem = TypedDict(
    "ReportUsageResponseGroupsItem",
    {
        "calls": "int",
        "tokens": "BilledTokens",
        "cost": "Cost",
        "compactions": "CompactionTotals",
        "key": "str",
        "source": "Literal['live', 'import']",
    },
)


ReportUsageResponse = TypedDict(
    "ReportUsageResponse",
    {
        "total": "UsageSum",
        "live": "UsageSum",
        "import": "UsageSum",
        "groups": "List[ReportUsageResponseGroupsItem]",
        "omittedGroups": "int",
    },
)


RequestCompactionRequest = TypedDict(
    "RequestCompactionRequest",
    {
        "trigger": "Literal['explicit', 'policy', 'requested-mid-turn']",
        "profile": "ProfileSource",
        "instructions": "str",
    },
    total=False,
)


RequestCompactionResponse1 = TypedDict(
    "RequestCompactionResponse1",
    {
        "status": "Literal['requested', 'joined', 'deferred', 'skipped']",
        "compactionId": "str",
    },
)


RequestCompactionResponse = Union["RequestCompactionResponse1", "CompactionOutcome"]

ResetSessionRequest = TypedDict(
    "ResetSessionRequest",
    {
        "confirm": "bool",
        "reason": "str",
    },
    total=False,
)


_ResetSessionResponseRequired = TypedDict(
    "_ResetSessionResponseRequired",
    {
        "session": "str",
        "reset": "bool",
    },
)

_ResetSessionResponseOptional = TypedDict(
    "_ResetSessionResponseOptional",
    {
        "compactionId": "str",
        "clearedMessages": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
    },
    total=False,
)


class ResetSessionResponse(_ResetSessionResponseRequired, _ResetSessionResponseOptional):
    pass


RetentionDefault = TypedDict(
    "RetentionDefault",
    {
        "mode": "RetentionMode",
        "days": "int",
    },
)


RetentionDefaults = TypedDict(
    "RetentionDefaults",
    {
        "default": "Union[RetentionDefault, None]",
        "profiles": "Dict[str, Union[RetentionDefault, None]]",
    },
)


RetentionMode = Literal["governance", "compliance"]

_RetentionPeriodRequired = TypedDict(
    "_RetentionPeriodRequired",
    {
        "mode": "RetentionMode",
        "until": "str",
    },
)

_RetentionPeriodOptional = TypedDict(
    "_RetentionPeriodOptional",
    {
        "days": "int",
    },
    total=False,
)


class RetentionPeriod(_RetentionPeriodRequired, _RetentionPeriodOptional):
    pass


_RetentionRequestRequired = TypedDict(
    "_RetentionRequestRequired",
    {
        "mode": "RetentionMode",
        "until": "str",
    },
)

_RetentionRequestOptional = TypedDict(
    "_RetentionRequestOptional",
    {
        "reason": "str",
    },
    total=False,
)


class RetentionRequest(_RetentionRequestRequired, _RetentionRequestOptional):
    pass


RetryStoppedStreamsRequest = TypedDict(
    "RetryStoppedStreamsRequest",
    {
        "position": "str",
    },
    total=False,
)


RetryStoppedStreamsResponse = TypedDict(
    "RetryStoppedStreamsResponse",
    {
        "projection": "str",
        "streams": "int",
    },
)


RevertCompactionRequest = TypedDict(
    "RevertCompactionRequest",
    {
        "compactionId": "str",
        "reason": "str",
    },
    total=False,
)


RevertCompactionResponse = TypedDict(
    "RevertCompactionResponse",
    {
        "compactionId": "str",
        "restored": "Union[str, None]",
        "reason": "str",
        "messagesBefore": "int",
        "carried": "Union[str, None]",
        "compactions": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
    },
)


RevokeKeyResponse = TypedDict(
    "RevokeKeyResponse",
    {
        "keyId": "str",
        "state": "Literal['revoked']",
    },
)


Role = Literal["agent", "operator", "auditor", "admin"]

RotateKeyRequest = TypedDict(
    "RotateKeyRequest",
    {
        "overlapSeconds": "int",
        "expiresAt": "Union[str, None]",
    },
    total=False,
)


RotateKeyResponse = TypedDict(
    "RotateKeyResponse",
    {
        "tenant": "str",
        "key": "str",
        "keyId": "str",
        "role": "Role",
        "permissions": "List[str]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
        "replaces": "str",
        "validUntil": "str",
    },
)


RotateWebhookSecretRequest = TypedDict(
    "RotateWebhookSecretRequest",
    {
        "overlapSeconds": "int",
    },
    total=False,
)


RotateWebhookSecretResponse = TypedDict(
    "RotateWebhookSecretResponse",
    {
        "webhookId": "str",
        "secret": "str",
        "validUntil": "str",
    },
)


SearchAuditResponse = TypedDict(
    "SearchAuditResponse",
    {
        "items": "List[AuditRow]",
        "next": "Union[str, None]",
    },
)


SearchCompactionsResponse = TypedDict(
    "SearchCompactionsResponse",
    {
        "items": "List[CompactionRecord]",
        "next": "Union[str, None]",
    },
)


SearchMessagesResponse = TypedDict(
    "SearchMessagesResponse",
    {
        "matches": "List[TextMatch]",
        "searched": "int",
        "before": "Union[str, None]",
    },
)


Secret = TypedDict(
    "Secret",
    {
        "name": "str",
        "createdAt": "str",
        "changedAt": "str",
        "lastUsedAt": "Union[str, None]",
    },
)


_SessionLimitsRequired = TypedDict(
    "_SessionLimitsRequired",
    {
        "window": "int",
        "windowSource": "str",
    },
)

_SessionLimitsOptional = TypedDict(
    "_SessionLimitsOptional",
    {
        "maxOutput": "int",
        "inputLimit": "int",
    },
    total=False,
)


class SessionLimits(_SessionLimitsRequired, _SessionLimitsOptional):
    pass


SessionProtection = TypedDict(
    "SessionProtection",
    {
        "session": "str",
        "period": "Union[RetentionPeriod, None]",
        "holds": "List[LegalHold]",
        "barrier": "Union[ErasureBarrier, None]",
    },
)


SignInRequest = TypedDict(
    "SignInRequest",
    {
        "key": "str",
        "code": "str",
    },
    total=False,
)


SignOutResponse = TypedDict(
    "SignOutResponse",
    {
        "signedOut": "Literal[True]",
    },
)


SkipDeliveryRequest = TypedDict(
    "SkipDeliveryRequest",
    {
        "reason": "str",
    },
)


SkipStoppedStreamRequest = TypedDict(
    "SkipStoppedStreamRequest",
    {
        "position": "str",
        "reason": "str",
    },
)


SkipStoppedStreamResponse = TypedDict(
    "SkipStoppedStreamResponse",
    {
        "projection": "str",
        "position": "str",
        "stream": "str",
        "revision": "int",
    },
)


SummarizerLink1 = TypedDict(
    "SummarizerLink1",
    {
        "provider": "Literal['extractive']",
    },
)


_SummarizerLink2Required = TypedDict(
    "_SummarizerLink2Required",
    {
        "provider": "WireFormat",
        "secret": "str",
    },
)

_SummarizerLink2Optional = TypedDict(
    "_SummarizerLink2Optional",
    {
        "model": "str",
        "prompt": "str",
    },
    total=False,
)


class SummarizerLink2(_SummarizerLink2Required, _SummarizerLink2Optional):
    pass


SummarizerLink = Union["SummarizerLink1", "SummarizerLink2"]

Summarizers = TypedDict(
    "Summarizers",
    {
        "default": "Union[str, None]",
        "summarizers": "Dict[str, List[SummarizerLink]]",
    },
)


Tenant = TypedDict(
    "Tenant",
    {
        "tenant": "str",
        "name": "str",
        "registeredAt": "Union[str, None]",
        "registeredBy": "Union[str, None]",
        "limits": "Limits",
    },
)


TestWebhookRequest = TypedDict(
    "TestWebhookRequest",
    {
    },
)


TestWebhookResponse = TypedDict(
    "TestWebhookResponse",
    {
        "delivered": "bool",
        "outcome": "str",
    },
)


TextMatch = TypedDict(
    "TextMatch",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "recordedAt": "str",
        "role": "str",
        "block": "int",
        "excerpt": "str",
    },
)


TraceMessageResponse = TypedDict(
    "TraceMessageResponse",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['in-full', 'in-part', 'omitted', 'covered', 'cleared', 'withdrawn', 'pinned', 'unknown']",
    },
)


TurnRetention = TypedDict(
    "TurnRetention",
    {
        "turn": "int",
        "messages": "int",
        "tokens": "int",
        "rule": "str",
    },
)


UnpinContentResponse = List["Pin"]

Usage = TypedDict(
    "Usage",
    {
        "inputTokens": "int",
        "cacheReadTokens": "int",
        "cacheWriteTokens": "int",
        "cacheWrite1hTokens": "int",
        "outputTokens": "int",
        "requestId": "str",
    },
    total=False,
)


UsageSum = TypedDict(
    "UsageSum",
    {
        "calls": "int",
        "tokens": "BilledTokens",
        "cost": "Cost",
        "compactions": "CompactionTotals",
    },
)


Webhook = TypedDict(
    "Webhook",
    {
        "webhookId": "str",
        "url": "str",
        "label": "str",
        "types": "List[str]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
        "registeredAt": "str",
    },
)


WireFormat = Literal["anthropic", "openai-chat", "openai-responses"]

WireNote = TypedDict(
    "WireNote",
    {
        "did": "str",
    },
)


ListSessionsItem = TypedDict(
    "ListSessionsItem",
    {
        "session": "str",
        "title": "Union[str, None]",
        "agent": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "turns": "int",
        "messages": "int",
        "occupancy": "int",
        "window": "int",
        "state": "str",
        "compactions": "int",
        "revision": "int",
        "profile": "str",
        "model": "str",
        "openedAt": "str",
        "lastActivityAt": "str",
    },
)


ListCompactionsItem = TypedDict(
    "ListCompactionsItem",
    {
        "compactionId": "str",
        "trigger": "str",
        "turn": "int",
        "profile": "str",
        "actor": "str",
        "attempts": "int",
        "outcome": "Union[str, None]",
        "reason": "Union[str, None]",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "summarizer": "Union[str, None]",
        "requestedAt": "str",
        "endedAt": "Union[str, None]",
    },
)


ListHeldSessionsItem = TypedDict(
    "ListHeldSessionsItem",
    {
        "session": "str",
        "holds": "List[LegalHold]",
        "period": "Union[RetentionPeriod, None]",
    },
)
