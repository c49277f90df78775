# Generated from the OpenAPI document by scripts/python-client.mjs. Do not edit.
"""Requests and answers of the API, as dictionaries."""
from typing import Any, Dict, List, Literal, TypedDict, Union

AnthropicMessage = TypedDict(
    "AnthropicMessage",
    {
        "role": "Literal['user', 'assistant']",
        "content": "List[ContentBlock]",
    },
)


_AnthropicRequestRequired = TypedDict(
    "_AnthropicRequestRequired",
    {
        "model": "str",
        "max_tokens": "int",
        "messages": "List[AnthropicMessage]",
    },
)

_AnthropicRequestOptional = TypedDict(
    "_AnthropicRequestOptional",
    {
        "system": "Union[str, List[Dict[str, Any]]]",
        "tools": "List[Dict[str, Any]]",
    },
    total=False,
)


class AnthropicRequest(_AnthropicRequestRequired, _AnthropicRequestOptional):
    """The body of `POST /v1/messages`"""


AppendAndComposeRequest = TypedDict(
    "AppendAndComposeRequest",
    {
        "messages": "List[Message]",
        "after": "Union[str, None]",
        "usage": "ReportedUsage",
        "stopReason": "str",
        "override": "Reasoned",
        "ladder": "LadderPolicy",
        "contributions": "List[Contribution]",
    },
    total=False,
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
        "after": "Union[str, None]",
        "usage": "ReportedUsage",
        "stopReason": "str",
    },
    total=False,
)


class AppendMessagesRequest(_AppendMessagesRequestRequired, _AppendMessagesRequestOptional):
    pass


AsOf = Union[str, int]

_AttemptErrorRequired = TypedDict(
    "_AttemptErrorRequired",
    {
        "rule": "str",
        "detail": "str",
    },
)

_AttemptErrorOptional = TypedDict(
    "_AttemptErrorOptional",
    {
        "permanent": "Literal[True]",
    },
    total=False,
)


class AttemptError(_AttemptErrorRequired, _AttemptErrorOptional):
    pass


AuditEventType = Union["EventType", "TenantEventType"]

AuditReadRow = TypedDict(
    "AuditReadRow",
    {
        "position": "str",
        "recordedAt": "str",
        "actor": "str",
        "kind": "ReadKind",
        "endpoint": "str",
        "session": "Union[str, None]",
        "revisions": "Union[RevisionRange, None]",
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
        "type": "AuditEventType",
        "recordedAt": "str",
        "actor": "str",
        "correlationId": "str",
        "compactionId": "Union[str, None]",
        "trigger": "Union[Trigger, None]",
        "outcome": "Union[CompactionEnd, None]",
        "profile": "Union[str, None]",
        "model": "Union[str, None]",
        "payload": "Dict[str, Any]",
    },
)


AuditSort = Literal["-position", "position", "-time", "time"]

AuditTotalsGroupsItem = TypedDict(
    "AuditTotalsGroupsItem",
    {
        "key": "Union[str, None]",
        "events": "int",
    },
)


AuditTotals = TypedDict(
    "AuditTotals",
    {
        "events": "int",
        "groups": "List[AuditTotalsGroupsItem]",
        "omittedGroups": "int",
    },
)


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
        "threshold": "int",
        "window": "int",
        "remedies": "List[Remedy]",
        "ladder": "Union[LadderUse, None]",
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


CancelledBy = Literal["reset", "revert", "close", "caller", "hook", "erasure"]

CarriedMessage = TypedDict(
    "CarriedMessage",
    {
        "rule": "MessageRule",
        "toolOutputs": "List[PartRule]",
        "reasoning": "PartRule",
        "countedTokens": "int",
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


ChangeWebhookRequest = TypedDict(
    "ChangeWebhookRequest",
    {
        "url": "str",
        "label": "str",
        "types": "List[EventType]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
    },
    total=False,
)


ChangedMessage = TypedDict(
    "ChangedMessage",
    {
        "id": "str",
        "revision": "int",
        "role": "Role",
        "turn": "int",
        "a": "CarriedMessage",
        "b": "CarriedMessage",
    },
)


Closed = TypedDict(
    "Closed",
    {
        "session": "str",
        "closed": "Literal[True]",
    },
)


CompactionEnd = Literal["completed", "failed", "skipped", "cancelled", "reverted"]

CompactionExplanationLateResultsItem = TypedDict(
    "CompactionExplanationLateResultsItem",
    {
        "attempt": "int",
        "worker": "str",
        "usage": "Union[Usage, None]",
        "cost": "Union[Cost, None]",
    },
)


CompactionExplanationBesideProviderItem = TypedDict(
    "CompactionExplanationBesideProviderItem",
    {
        "revision": "int",
        "at": "str",
        "compacted": "bool",
        "clearedToolUses": "int",
        "clearedThinkingTurns": "int",
        "clearedInputTokens": "int",
        "usage": "Union[Usage, None]",
        "cost": "Union[Cost, None]",
    },
)


CompactionExplanation = TypedDict(
    "CompactionExplanation",
    {
        "session": "str",
        "compactionId": "str",
        "kind": "Literal['compaction']",
        "outcome": "ExplainedOutcome",
        "why": "WhyNow",
        "plan": "Union[WhyCut, None]",
        "imported": "Union[Imported, None]",
        "turns": "List[TurnRetention]",
        "attempts": "List[ExplainedAttempt]",
        "lateResults": "List[CompactionExplanationLateResultsItem]",
        "besideProvider": "List[CompactionExplanationBesideProviderItem]",
        "verified": "Union[Verified, None]",
        "promptCache": "Union[PromptCacheEffect, None]",
        "lost": "Union[Lost, None]",
        "covered": "Union[Covered, None]",
        "previous": "Union[str, None]",
        "droppedOutputs": "List[DroppedOutput]",
    },
)


CompactionOutcome1Fidelity1 = TypedDict(
    "CompactionOutcome1Fidelity1",
    {
        "score": "float",
        "keys": "int",
        "missingKeys": "Union[int, None]",
    },
)


CompactionOutcome1 = TypedDict(
    "CompactionOutcome1",
    {
        "outcome": "Literal['completed']",
        "compactionId": "str",
        "trigger": "Trigger",
        "attempts": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
        "target": "int",
        "targetRaised": "Union[RaisedTarget, None]",
        "protection": "Union[ProtectionYield, None]",
        "summarizer": "SummarizerIdentity",
        "usage": "Union[Usage, None]",
        "cost": "Union[Cost, None]",
        "durationMs": "float",
        "retainedFrom": "Union[str, None]",
        "coveredMessages": "int",
        "fileOperations": "FileOperations",
        "fidelity": "Union[CompactionOutcome1Fidelity1, None]",
        "retention": "List[TurnRetention]",
        "summary": "Union[str, None]",
        "native": "Union[str, None]",
    },
)


CompactionOutcome2 = TypedDict(
    "CompactionOutcome2",
    {
        "compactionId": "str",
        "attempts": "int",
        "error": "AttemptError",
        "outcome": "Literal['failed']",
    },
)


_CompactionOutcome3Required = TypedDict(
    "_CompactionOutcome3Required",
    {
        "trigger": "Trigger",
        "reason": "SkipReason",
        "outcome": "Literal['skipped']",
    },
)

_CompactionOutcome3Optional = TypedDict(
    "_CompactionOutcome3Optional",
    {
        "compactionId": "str",
    },
    total=False,
)


class CompactionOutcome3(_CompactionOutcome3Required, _CompactionOutcome3Optional):
    pass


CompactionOutcome4 = TypedDict(
    "CompactionOutcome4",
    {
        "compactionId": "str",
        "by": "CancelledBy",
        "reason": "str",
        "outcome": "Literal['cancelled']",
    },
)


CompactionOutcome = Union["CompactionOutcome1", "CompactionOutcome2", "CompactionOutcome3", "CompactionOutcome4"]

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
        "trigger": "Trigger",
        "outcome": "Union[CompactionEnd, None]",
        "reason": "Union[str, None]",
        "profile": "str",
        "actor": "str",
        "turn": "int",
        "attempts": "int",
        "worker": "Union[str, None]",
        "summarizer": "Union[str, None]",
        "model": "Union[str, None]",
        "promptVersion": "Union[str, None]",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "durationMs": "Union[float, None]",
        "usage": "CompactionRecordUsage",
        "cost": "CostTotal",
        "requestedAt": "str",
        "endedAt": "Union[str, None]",
    },
)


CompactionRequest = TypedDict(
    "CompactionRequest",
    {
        "trigger": "Literal['explicit', 'policy', 'requested-mid-turn']",
        "profile": "ProfileSource",
        "instructions": "str",
    },
    total=False,
)


CompactionSummary = TypedDict(
    "CompactionSummary",
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


CompactionTotalsDoubleRuns = TypedDict(
    "CompactionTotalsDoubleRuns",
    {
        "runs": "int",
        "cost": "CostTotal",
    },
)


CompactionTotals = TypedDict(
    "CompactionTotals",
    {
        "tokens": "BilledTokens",
        "cost": "CostTotal",
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


CompareProfilesRequest = TypedDict(
    "CompareProfilesRequest",
    {
        "profiles": "List[ProfileSource]",
    },
    total=False,
)


CompleteTurnRequest = TypedDict(
    "CompleteTurnRequest",
    {
        "stopReason": "str",
    },
    total=False,
)


_CompletedTurnRequired = TypedDict(
    "_CompletedTurnRequired",
    {
        "turn": "int",
        "completed": "bool",
    },
)

_CompletedTurnOptional = TypedDict(
    "_CompletedTurnOptional",
    {
        "revision": "int",
        "compactionId": "str",
    },
    total=False,
)


class CompletedTurn(_CompletedTurnRequired, _CompletedTurnOptional):
    pass


ComposeOptions = TypedDict(
    "ComposeOptions",
    {
        "format": "WireFormat",
        "override": "Reasoned",
        "ladder": "LadderPolicy",
        "contributions": "List[Contribution]",
        "withBody": "bool",
    },
    total=False,
)


_ComposedRequired = TypedDict(
    "_ComposedRequired",
    {
        "requestId": "str",
        "format": "WireFormat",
        "revision": "int",
        "turn": "int",
        "occupancy": "int",
        "counted": "int",
        "window": "int",
        "state": "BudgetState",
        "epoch": "int",
        "stages": "List[str]",
        "notes": "List[NoteCount]",
        "digest": "str",
        "parts": "PartDigests",
        "outcome": "Literal['composed']",
        "banner": "Union[BudgetBanner, None]",
        "request": "Union[AnthropicRequest, OpenAiChatRequest, OpenAiResponsesRequest]",
    },
)

_ComposedOptional = TypedDict(
    "_ComposedOptional",
    {
        "contributions": "List[ContributionSize]",
        "failedProviders": "List[str]",
        "maxOutput": "int",
        "ladder": "Shortening",
        "ladderOption": "LadderPolicy",
        "body": "str",
    },
    total=False,
)


class Composed(_ComposedRequired, _ComposedOptional):
    """A composed request"""


_ComposedByReferenceRequired = TypedDict(
    "_ComposedByReferenceRequired",
    {
        "requestId": "str",
        "format": "WireFormat",
        "revision": "int",
        "turn": "int",
        "occupancy": "int",
        "counted": "int",
        "window": "int",
        "state": "BudgetState",
        "epoch": "int",
        "stages": "List[str]",
        "notes": "List[NoteCount]",
        "digest": "str",
        "parts": "PartDigests",
        "outcome": "Literal['composed']",
        "banner": "Union[BudgetBanner, None]",
        "messages": "List[ReferencedMessage]",
    },
)

_ComposedByReferenceOptional = TypedDict(
    "_ComposedByReferenceOptional",
    {
        "contributions": "List[ContributionSize]",
        "failedProviders": "List[str]",
        "maxOutput": "int",
        "ladder": "Shortening",
        "ladderOption": "LadderPolicy",
        "answerRoom": "int",
    },
    total=False,
)


class ComposedByReference(_ComposedByReferenceRequired, _ComposedByReferenceOptional):
    """A composed request in Anthropic’s form that refers to messages of the session instead of repeating them. System prompt and tools are those of the session"""


ContentBlock = Dict[str, Any]

ContextDiffMessages = TypedDict(
    "ContextDiffMessages",
    {
        "onlyInA": "List[DiffedMessage]",
        "onlyInB": "List[DiffedMessage]",
        "changed": "List[ChangedMessage]",
    },
)


ContextDiffDroppedOutputs = TypedDict(
    "ContextDiffDroppedOutputs",
    {
        "onlyInA": "List[DroppedOutput]",
        "onlyInB": "List[DroppedOutput]",
    },
)


ContextDiffPins = TypedDict(
    "ContextDiffPins",
    {
        "onlyInA": "List[DiffedPin]",
        "onlyInB": "List[DiffedPin]",
    },
)


ContextDiff = TypedDict(
    "ContextDiff",
    {
        "a": "ContextSide",
        "b": "ContextSide",
        "summaryChanged": "bool",
        "messages": "ContextDiffMessages",
        "droppedOutputs": "ContextDiffDroppedOutputs",
        "pins": "ContextDiffPins",
    },
)


ContextSide = TypedDict(
    "ContextSide",
    {
        "revision": "int",
        "tokens": "int",
        "messages": "int",
        "summary": "Union[DiffedSummary, None]",
    },
)


_ContextViewRequired = TypedDict(
    "_ContextViewRequired",
    {
        "format": "WireFormat",
        "request": "Union[AnthropicRequest, OpenAiChatRequest, OpenAiResponsesRequest, Dict[str, Any]]",
        "requestId": "Union[str, None]",
        "digestMatches": "Union[bool, None]",
        "body": "Union[str, None]",
        "systemPrompt": "str",
        "tools": "List[Dict[str, Any]]",
        "notes": "List[WireNote]",
        "violations": "List[Violation]",
        "revision": "int",
        "tokens": "int",
        "window": "int",
        "state": "BudgetState",
        "pivot": "Union[str, None]",
        "retainedFrom": "Union[str, None]",
        "retention": "List[TurnRetention]",
    },
)

_ContextViewOptional = TypedDict(
    "_ContextViewOptional",
    {
        "withheld": "List[str]",
    },
    total=False,
)


class ContextView(_ContextViewRequired, _ContextViewOptional):
    pass


Contribution = TypedDict(
    "Contribution",
    {
        "name": "str",
        "text": "str",
    },
)


ContributionSize = TypedDict(
    "ContributionSize",
    {
        "name": "str",
        "tokens": "int",
    },
)


ConversationAppended = TypedDict(
    "ConversationAppended",
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


CostPricesItem = TypedDict(
    "CostPricesItem",
    {
        "model": "str",
        "rates": "TokenRates",
        "source": "str",
        "asOf": "str",
    },
)


CostUnpricedItem = TypedDict(
    "CostUnpricedItem",
    {
        "model": "str",
        "reason": "Literal['unknown-model', 'no-price', 'no-cache-price', 'other-seller']",
        "tokens": "int",
    },
)


_CostRequired = TypedDict(
    "_CostRequired",
    {
        "prices": "List[CostPricesItem]",
    },
)

_CostOptional = TypedDict(
    "_CostOptional",
    {
        "nanoUsd": "int",
        "unpriced": "List[CostUnpricedItem]",
    },
    total=False,
)


class Cost(_CostRequired, _CostOptional):
    """The cost of usage. Unpriced usage is listed and not part of the sum"""


CostTotal = TypedDict(
    "CostTotal",
    {
        "nanoUsd": "Union[int, None]",
        "unpricedTokens": "int",
    },
)


Covered = TypedDict(
    "Covered",
    {
        "messages": "int",
        "tokens": "int",
        "from": "str",
        "to": "str",
        "ids": "Union[List[str], None]",
    },
)


_CreateKeyRequestRequired = TypedDict(
    "_CreateKeyRequestRequired",
    {
        "role": "KeyRole",
    },
)

_CreateKeyRequestOptional = TypedDict(
    "_CreateKeyRequestOptional",
    {
        "permissions": "List[KeyPermission]",
        "label": "str",
        "expiresAt": "Union[str, None]",
    },
    total=False,
)


class CreateKeyRequest(_CreateKeyRequestRequired, _CreateKeyRequestOptional):
    pass


Cut = TypedDict(
    "Cut",
    {
        "messageId": "str",
        "revision": "int",
    },
)


DeferCompactionsRequest = TypedDict(
    "DeferCompactionsRequest",
    {
        "until": "HoldUntil",
        "reason": "str",
    },
)


Deferred = TypedDict(
    "Deferred",
    {
        "session": "str",
        "until": "HoldUntil",
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


_DiffedMessageRequired = TypedDict(
    "_DiffedMessageRequired",
    {
        "id": "str",
        "revision": "int",
        "role": "Role",
        "turn": "int",
        "tokens": "int",
    },
)

_DiffedMessageOptional = TypedDict(
    "_DiffedMessageOptional",
    {
        "content": "List[ContentBlock]",
    },
    total=False,
)


class DiffedMessage(_DiffedMessageRequired, _DiffedMessageOptional):
    pass


DiffedPin = TypedDict(
    "DiffedPin",
    {
        "tokens": "int",
        "kind": "PinKind",
        "pinId": "str",
    },
)


_DiffedSummaryRequired = TypedDict(
    "_DiffedSummaryRequired",
    {
        "compactionId": "str",
        "kind": "PivotKind",
        "tokens": "int",
    },
)

_DiffedSummaryOptional = TypedDict(
    "_DiffedSummaryOptional",
    {
        "text": "Union[str, None]",
    },
    total=False,
)


class DiffedSummary(_DiffedSummaryRequired, _DiffedSummaryOptional):
    pass


_DroppedOutputRequired = TypedDict(
    "_DroppedOutputRequired",
    {
        "messageId": "str",
        "callId": "str",
        "freed": "int",
    },
)

_DroppedOutputOptional = TypedDict(
    "_DroppedOutputOptional",
    {
        "by": "Literal['prune']",
    },
    total=False,
)


class DroppedOutput(_DroppedOutputRequired, _DroppedOutputOptional):
    """A call whose output is no longer sent; `freed` are the saved tokens"""


EditsReportedEdited1Compaction = TypedDict(
    "EditsReportedEdited1Compaction",
    {
        "usage": "Usage",
        "cost": "Cost",
    },
    total=False,
)


_EditsReportedEdited1Required = TypedDict(
    "_EditsReportedEdited1Required",
    {
        "clearedToolUses": "int",
        "clearedThinkingTurns": "int",
        "clearedInputTokens": "int",
        "turn": "int",
        "reasoningClearedIn": "List[int]",
    },
)

_EditsReportedEdited1Optional = TypedDict(
    "_EditsReportedEdited1Optional",
    {
        "compaction": "EditsReportedEdited1Compaction",
        "responseId": "str",
    },
    total=False,
)


class EditsReportedEdited1(_EditsReportedEdited1Required, _EditsReportedEdited1Optional):
    pass


_EditsReportedDuplicateCompaction1AppliedRequired = TypedDict(
    "_EditsReportedDuplicateCompaction1AppliedRequired",
    {
        "worker": "str",
    },
)

_EditsReportedDuplicateCompaction1AppliedOptional = TypedDict(
    "_EditsReportedDuplicateCompaction1AppliedOptional",
    {
        "usage": "Usage",
        "cost": "Cost",
    },
    total=False,
)


class EditsReportedDuplicateCompaction1Applied(_EditsReportedDuplicateCompaction1AppliedRequired, _EditsReportedDuplicateCompaction1AppliedOptional):
    pass


_EditsReportedDuplicateCompaction1Required = TypedDict(
    "_EditsReportedDuplicateCompaction1Required",
    {
        "compactionId": "str",
        "attempt": "int",
        "worker": "str",
    },
)

_EditsReportedDuplicateCompaction1Optional = TypedDict(
    "_EditsReportedDuplicateCompaction1Optional",
    {
        "usage": "Usage",
        "cost": "Cost",
        "applied": "EditsReportedDuplicateCompaction1Applied",
    },
    total=False,
)


class EditsReportedDuplicateCompaction1(_EditsReportedDuplicateCompaction1Required, _EditsReportedDuplicateCompaction1Optional):
    pass


EditsReported = TypedDict(
    "EditsReported",
    {
        "edited": "Union[EditsReportedEdited1, None]",
        "duplicateCompaction": "Union[EditsReportedDuplicateCompaction1, None]",
    },
)


Erased = TypedDict(
    "Erased",
    {
        "by": "str",
        "at": "str",
        "erasure": "str",
        "scope": "Literal['subject', 'session', 'tenant']",
    },
)


ErasureDeferred1 = TypedDict(
    "ErasureDeferred1",
    {
        "because": "str",
        "until": "Union[str, None]",
    },
)


ErasureReceipt1Counts = TypedDict(
    "ErasureReceipt1Counts",
    {
        "keys": "int",
        "sessions": "int",
        "places": "Dict[str, int]",
    },
)


ErasureReceipt1 = TypedDict(
    "ErasureReceipt1",
    {
        "keys": "List[str]",
        "tenantKey": "Union[str, None]",
        "counts": "ErasureReceipt1Counts",
        "durationMs": "int",
        "completedAt": "str",
    },
)


Erasure = TypedDict(
    "Erasure",
    {
        "erasure": "str",
        "state": "Literal['awaiting-approval', 'deferred', 'in-progress', 'completed', 'withdrawn']",
        "target": "ErasureTarget",
        "reason": "str",
        "requestedBy": "str",
        "requestedAt": "str",
        "approvedBy": "Union[str, None]",
        "deferred": "Union[ErasureDeferred1, None]",
        "receipt": "Union[ErasureReceipt1, None]",
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

ErasurePolicy = TypedDict(
    "ErasurePolicy",
    {
        "people": "Literal[1, 2]",
    },
)


_ErasureRequestRequired = TypedDict(
    "_ErasureRequestRequired",
    {
        "reason": "str",
    },
)

_ErasureRequestOptional = TypedDict(
    "_ErasureRequestOptional",
    {
        "subject": "str",
        "session": "str",
        "tenant": "Literal[True]",
    },
    total=False,
)


class ErasureRequest(_ErasureRequestRequired, _ErasureRequestOptional):
    pass


ErasureTarget1 = TypedDict(
    "ErasureTarget1",
    {
        "scope": "Literal['subject']",
        "subject": "str",
    },
)


ErasureTarget2 = TypedDict(
    "ErasureTarget2",
    {
        "scope": "Literal['session']",
        "session": "str",
    },
)


ErasureTarget3 = TypedDict(
    "ErasureTarget3",
    {
        "scope": "Literal['tenant']",
    },
)


ErasureTarget = Union["ErasureTarget1", "ErasureTarget2", "ErasureTarget3"]

EventType = Literal["BlockingThresholdReached", "CompactionApplied", "CompactionAttemptFailed", "CompactionAwaited", "CompactionCancelled", "CompactionCircuitClosed", "CompactionCircuitHalfOpened", "CompactionCircuitOpened", "CompactionCompleted", "CompactionDeferred", "CompactionDuplicated", "CompactionFailed", "CompactionMadeNoProgress", "CompactionOverridden", "CompactionReasoningDowngraded", "CompactionRequested", "CompactionRequired", "CompactionReverted", "CompactionSkipped", "CompactionStarted", "CompactionSummaryExceededLimit", "CompactionThresholdHit", "CompactionYieldedNoGain", "CompactionsHeld", "CompactionsReleased", "ContentErased", "ContentPinned", "ContentUnpinned", "ContextOverflowed", "ContinuationQueued", "DuplicateCompactionConfigured", "LadderEntered", "LadderExited", "LegalHoldPlaced", "LegalHoldReleased", "MessageAppended", "ModelSwitched", "OccupancyFell", "OverflowReported", "ProjectionSkipped", "ProviderContextEdited", "ReasoningDropped", "RequestComposed", "RequestCounted", "RequestPartsChanged", "RequestRefused", "RetentionPeriodEnded", "RetentionPeriodRemoved", "RetentionPeriodSet", "SegmentCollapsed", "SessionClosed", "SessionDescribed", "SessionForked", "SessionOpened", "SessionReset", "SettingsChanged", "ToolCallAbandoned", "ToolOutputsPruned", "ToolResultOffloaded", "TurnCompleted", "UsageReported", "WarningThresholdReached"]

ExplainedAttemptOversize1 = TypedDict(
    "ExplainedAttemptOversize1",
    {
        "tokens": "int",
        "countedLimit": "int",
    },
)


ExplainedAttemptNoGain1 = TypedDict(
    "ExplainedAttemptNoGain1",
    {
        "countedBefore": "int",
        "countedAfter": "int",
        "countedLimit": "int",
    },
)


ExplainedAttemptReasoning1 = TypedDict(
    "ExplainedAttemptReasoning1",
    {
        "marks": "int",
        "blocks": "int",
    },
)


ExplainedAttempt = TypedDict(
    "ExplainedAttempt",
    {
        "contextLines": "int",
        "revision": "int",
        "at": "str",
        "attempt": "int",
        "worker": "str",
        "summarizer": "SummarizerIdentity",
        "inputHash": "str",
        "countedBefore": "int",
        "billedBefore": "int",
        "target": "int",
        "coveredMessages": "int",
        "coveredTokens": "int",
        "outcome": "Literal['completed', 'failed', 'running', 'given-up']",
        "error": "Union[AttemptError, None]",
        "usage": "Union[Usage, None]",
        "cost": "Union[Cost, None]",
        "oversize": "Union[ExplainedAttemptOversize1, None]",
        "noGain": "Union[ExplainedAttemptNoGain1, None]",
        "reasoning": "Union[ExplainedAttemptReasoning1, None]",
        "retryAt": "Union[str, None]",
    },
)


ExplainedFidelityKinds1 = TypedDict(
    "ExplainedFidelityKinds1",
    {
        "identifiers": "Kept",
        "paths": "Kept",
        "errors": "Kept",
        "numbers": "Kept",
    },
)


_ExplainedFidelityDirectivesRequired = TypedDict(
    "_ExplainedFidelityDirectivesRequired",
    {
        "kept": "int",
        "of": "int",
    },
)

_ExplainedFidelityDirectivesOptional = TypedDict(
    "_ExplainedFidelityDirectivesOptional",
    {
        "missing": "List[str]",
    },
    total=False,
)


class ExplainedFidelityDirectives(_ExplainedFidelityDirectivesRequired, _ExplainedFidelityDirectivesOptional):
    """`missing` lists the messages of the lost directives, newest first"""


ExplainedFidelity = TypedDict(
    "ExplainedFidelity",
    {
        "score": "float",
        "keys": "int",
        "kinds": "Union[ExplainedFidelityKinds1, None]",
        "missingKeys": "Union[int, None]",
        "directives": "ExplainedFidelityDirectives",
        "missing": "List[str]",
    },
)


_ExplainedFieldRequired = TypedDict(
    "_ExplainedFieldRequired",
    {
        "field": "str",
        "description": "str",
        "expects": "str",
        "theme": "ProfileTheme",
        "isDefault": "bool",
    },
)

_ExplainedFieldOptional = TypedDict(
    "_ExplainedFieldOptional",
    {
        "value": "Union[str, int, bool, List[str], List[ModelOverrides]]",
    },
    total=False,
)


class ExplainedField(_ExplainedFieldRequired, _ExplainedFieldOptional):
    pass


ExplainedOutcome1 = TypedDict(
    "ExplainedOutcome1",
    {
        "status": "Literal['deferred', 'waiting', 'running']",
    },
)


ExplainedOutcome2 = TypedDict(
    "ExplainedOutcome2",
    {
        "status": "Literal['completed']",
        "standing": "Standing",
        "revision": "int",
        "at": "str",
    },
)


ExplainedOutcome3 = TypedDict(
    "ExplainedOutcome3",
    {
        "status": "Literal['failed']",
        "attempts": "int",
        "error": "AttemptError",
        "revision": "int",
        "at": "str",
    },
)


ExplainedOutcome4 = TypedDict(
    "ExplainedOutcome4",
    {
        "status": "Literal['cancelled']",
        "by": "CancelledBy",
        "reason": "str",
        "revision": "int",
        "at": "str",
    },
)


ExplainedOutcome5 = TypedDict(
    "ExplainedOutcome5",
    {
        "status": "Literal['skipped']",
        "reason": "SkipReason",
        "revision": "int",
        "at": "str",
    },
)


ExplainedOutcome = Union["ExplainedOutcome1", "ExplainedOutcome2", "ExplainedOutcome3", "ExplainedOutcome4", "ExplainedOutcome5"]

Explanation = Union["CompactionExplanation", "ResetExplanation", "ForkExplanation"]

ExportProofResponse = TypedDict(
    "ExportProofResponse",
    {
        "form": "str",
    },
)


_ExportedMessageRequired = TypedDict(
    "_ExportedMessageRequired",
    {
        "id": "str",
        "revision": "int",
        "role": "Role",
        "content": "List[ContentBlock]",
    },
)

_ExportedMessageOptional = TypedDict(
    "_ExportedMessageOptional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class ExportedMessage(_ExportedMessageRequired, _ExportedMessageOptional):
    """An exported message, always the original"""


FileOperationsRenamedItem = TypedDict(
    "FileOperationsRenamedItem",
    {
        "from": "str",
        "to": "str",
    },
)


_FileOperationsRequired = TypedDict(
    "_FileOperationsRequired",
    {
        "read": "List[str]",
        "modified": "List[str]",
    },
)

_FileOperationsOptional = TypedDict(
    "_FileOperationsOptional",
    {
        "deleted": "List[str]",
        "renamed": "List[FileOperationsRenamedItem]",
    },
    total=False,
)


class FileOperations(_FileOperationsRequired, _FileOperationsOptional):
    """Files that tool calls read and changed, oldest first; a file that was read and later changed is in `modified` only. Deleted and renamed files are in their own lists only; the target of a rename counts as changed"""


FloorPart = TypedDict(
    "FloorPart",
    {
        "part": "str",
        "tokens": "int",
    },
)


ForgetModelResponse = TypedDict(
    "ForgetModelResponse",
    {
        "model": "str",
        "state": "Literal['forgotten']",
    },
)


ForkExplanation = TypedDict(
    "ForkExplanation",
    {
        "session": "str",
        "compactionId": "str",
        "revision": "int",
        "at": "str",
        "kind": "Literal['fork']",
        "standing": "Standing",
        "from": "ForkSource",
        "summaryTokens": "int",
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


ForkSource = TypedDict(
    "ForkSource",
    {
        "sessionId": "str",
        "revision": "int",
    },
)


Forked = TypedDict(
    "Forked",
    {
        "session": "str",
        "from": "ForkSource",
        "messages": "int",
        "occupancy": "int",
    },
)


_FoundModelRequired = TypedDict(
    "_FoundModelRequired",
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

_FoundModelOptional = TypedDict(
    "_FoundModelOptional",
    {
        "inputMax": "int",
        "outputMax": "int",
        "tokenizer": "str",
    },
    total=False,
)


class FoundModel(_FoundModelRequired, _FoundModelOptional):
    """A model with the seller and the rules that resolved its name"""


GetAsyncApiResponse = Dict[str, Any]

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


GetHealthResponseWitnessesItem = TypedDict(
    "GetHealthResponseWitnessesItem",
    {
        "name": "str",
        "cosignedAt": "Union[str, None]",
        "logsBehind": "int",
        "logsFailing": "int",
        "problem": "Union[str, None]",
        "failingSince": "Union[str, None]",
    },
)


_GetHealthResponseRequired = TypedDict(
    "_GetHealthResponseRequired",
    {
        "status": "Literal['ready', 'unavailable']",
        "eventStore": "Literal['ok', 'unavailable', 'full']",
        "postgres": "Literal['ok', 'unavailable']",
        "projections": "List[GetHealthResponseProjectionsItem]",
    },
)

_GetHealthResponseOptional = TypedDict(
    "_GetHealthResponseOptional",
    {
        "worker": "Literal['starting', 'running', 'restarting']",
        "witnesses": "List[GetHealthResponseWitnessesItem]",
    },
    total=False,
)


class GetHealthResponse(_GetHealthResponseRequired, _GetHealthResponseOptional):
    pass


GetLivenessResponse = TypedDict(
    "GetLivenessResponse",
    {
        "status": "Literal['live']",
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


GetReadinessResponse = TypedDict(
    "GetReadinessResponse",
    {
        "status": "Literal['ready']",
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


HeldSession = TypedDict(
    "HeldSession",
    {
        "session": "str",
        "holds": "List[LegalHold]",
        "period": "Union[RetentionPeriod, None]",
    },
)


HoldUntil = Literal["turn-end", "released"]

IdleTime = TypedDict(
    "IdleTime",
    {
        "revision": "int",
        "from": "str",
        "to": "str",
        "activeMs": "int",
    },
)


ImportResult = TypedDict(
    "ImportResult",
    {
        "sessions": "List[ImportedSession]",
        "skipped": "List[SkippedLine]",
        "skippedLines": "int",
    },
)


_ImportedByRequired = TypedDict(
    "_ImportedByRequired",
    {
        "name": "str",
        "promptVersion": "str",
        "deterministic": "bool",
    },
)

_ImportedByOptional = TypedDict(
    "_ImportedByOptional",
    {
        "model": "str",
    },
    total=False,
)


class ImportedBy(_ImportedByRequired, _ImportedByOptional):
    pass


_ImportedRequired = TypedDict(
    "_ImportedRequired",
    {
        "format": "str",
        "by": "ImportedBy",
    },
)

_ImportedOptional = TypedDict(
    "_ImportedOptional",
    {
        "trigger": "Literal['automatic', 'manual']",
        "at": "str",
        "tokensBefore": "int",
        "tokensAfter": "int",
    },
    total=False,
)


class Imported(_ImportedRequired, _ImportedOptional):
    pass


ImportedSession = TypedDict(
    "ImportedSession",
    {
        "session": "str",
        "format": "TranscriptFormat",
        "messages": "int",
        "turns": "int",
        "toolCalls": "int",
        "tokens": "int",
        "compactions": "int",
    },
)


Instant = Union[str]

IssuedKey = TypedDict(
    "IssuedKey",
    {
        "tenant": "str",
        "key": "str",
        "keyId": "str",
        "role": "KeyRole",
        "permissions": "List[KeyPermission]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
    },
)


Kept = TypedDict(
    "Kept",
    {
        "kept": "int",
        "of": "int",
    },
)


KeyHolder = TypedDict(
    "KeyHolder",
    {
        "tenant": "str",
        "actor": "str",
        "role": "KeyRole",
        "permissions": "List[KeyPermission]",
    },
)


KeyPermission = Literal["content:read", "retention:shorten"]

KeyRole = Literal["agent", "operator", "auditor", "privacy", "admin"]

LadderPolicy = Literal["off", "on", "truncate"]

LadderRung = Literal["mask-outputs", "drop-groups", "newest-group", "truncate-messages"]

LadderUse = TypedDict(
    "LadderUse",
    {
        "requests": "int",
        "rung": "LadderRung",
    },
)


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


ListAuditReadsResponse = TypedDict(
    "ListAuditReadsResponse",
    {
        "items": "List[AuditReadRow]",
        "next": "Union[str, None]",
    },
)


ListCompactionsResponse = TypedDict(
    "ListCompactionsResponse",
    {
        "items": "List[CompactionSummary]",
        "next": "Union[str, None]",
    },
)


ListDeliveriesResponse = TypedDict(
    "ListDeliveriesResponse",
    {
        "items": "List[WebhookDelivery]",
        "next": "Union[str, None]",
    },
)


ListErasuresResponse = TypedDict(
    "ListErasuresResponse",
    {
        "erasures": "List[Erasure]",
        "people": "Literal[1, 2]",
    },
)


ListHeldSessionsResponse = TypedDict(
    "ListHeldSessionsResponse",
    {
        "items": "List[HeldSession]",
        "next": "Union[str, None]",
    },
)


ListKeysResponse = TypedDict(
    "ListKeysResponse",
    {
        "keys": "List[ListedKey]",
    },
)


ListModelsResponse = List["Model"]

ListOwnPromptsResponse = TypedDict(
    "ListOwnPromptsResponse",
    {
        "prompts": "List[OwnPrompt]",
    },
)


ListProfilesResponse = List["ProfileSummary"]

ListProjectionsResponse = List["ProjectionStatus"]

ListPromptsResponse = TypedDict(
    "ListPromptsResponse",
    {
        "version": "str",
        "prompts": "List[Prompt]",
    },
)


ListSecretsResponse = TypedDict(
    "ListSecretsResponse",
    {
        "secrets": "List[NamedSecret]",
    },
)


ListSessionsResponse = TypedDict(
    "ListSessionsResponse",
    {
        "items": "List[SessionSummary]",
        "next": "Union[str, None]",
    },
)


ListStoppedStreamsResponse = TypedDict(
    "ListStoppedStreamsResponse",
    {
        "items": "List[StoppedStream]",
        "next": "Union[str, None]",
    },
)


ListTenantsResponse = TypedDict(
    "ListTenantsResponse",
    {
        "items": "List[ListedTenant]",
        "next": "Union[str, None]",
    },
)


ListWebhooksResponse = TypedDict(
    "ListWebhooksResponse",
    {
        "webhooks": "List[Webhook]",
    },
)


ListedKeyRotation1 = TypedDict(
    "ListedKeyRotation1",
    {
        "by": "str",
        "at": "str",
    },
)


ListedKeyRevocation1 = TypedDict(
    "ListedKeyRevocation1",
    {
        "by": "str",
        "at": "str",
        "reason": "str",
    },
)


ListedKey = TypedDict(
    "ListedKey",
    {
        "keyId": "str",
        "role": "KeyRole",
        "permissions": "List[KeyPermission]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
        "state": "Literal['active', 'revoked', 'expired']",
        "issuedAt": "str",
        "issuedBy": "str",
        "replacedBy": "Union[str, None]",
        "rotation": "Union[ListedKeyRotation1, None]",
        "revocation": "Union[ListedKeyRevocation1, None]",
        "lastUsedAt": "Union[str, None]",
    },
)


_ListedMessageRequired = TypedDict(
    "_ListedMessageRequired",
    {
        "id": "str",
        "revision": "int",
        "recordedAt": "str",
        "role": "Role",
        "countedTokens": "int",
        "content": "List[ContentBlock]",
    },
)

_ListedMessageOptional = TypedDict(
    "_ListedMessageOptional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class ListedMessage(_ListedMessageRequired, _ListedMessageOptional):
    """An original message with its place in the log"""


ListedTenant = TypedDict(
    "ListedTenant",
    {
        "tenant": "str",
        "name": "str",
        "registeredAt": "Union[str, None]",
        "registeredBy": "Union[str, None]",
        "limits": "TenantLimits",
    },
)


LiveFinding = TypedDict(
    "LiveFinding",
    {
        "part": "Literal['log', 'events', 'rows']",
        "outcome": "Literal['invalid', 'incomplete', 'unknown-key', 'malformed']",
        "tenant": "Union[str, None]",
        "detail": "str",
    },
)


LiveReport = TypedDict(
    "LiveReport",
    {
        "outcome": "Literal['valid', 'invalid', 'incomplete', 'unknown-key', 'malformed']",
        "logs": "int",
        "leaves": "int",
        "events": "int",
        "newerEvents": "int",
        "tables": "int",
        "rows": "int",
        "findings": "List[LiveFinding]",
        "findingCount": "int",
        "heads": "List[VerifiedHead]",
    },
)


LogWitness = TypedDict(
    "LogWitness",
    {
        "name": "str",
        "key": "str",
        "url": "str",
        "size": "Union[int, None]",
        "cosignedAt": "Union[str, None]",
        "problem": "Union[str, None]",
        "failingSince": "Union[str, None]",
    },
)


LogWitnesses = TypedDict(
    "LogWitnesses",
    {
        "keys": "List[str]",
        "size": "int",
        "quorum": "str",
        "witnessedSize": "Union[int, None]",
        "witnesses": "List[LogWitness]",
    },
)


_LoggedEventRequired = TypedDict(
    "_LoggedEventRequired",
    {
        "revision": "int",
        "type": "EventType",
        "id": "str",
        "recordedAt": "str",
        "actor": "str",
        "correlationId": "str",
        "data": "Dict[str, Any]",
    },
)

_LoggedEventOptional = TypedDict(
    "_LoggedEventOptional",
    {
        "causationId": "str",
    },
    total=False,
)


class LoggedEvent(_LoggedEventRequired, _LoggedEventOptional):
    """An event of a session as it was recorded; `docs/guides/event-log.md` lists the types and their data"""


LostNamesItem = TypedDict(
    "LostNamesItem",
    {
        "name": "str",
        "kind": "Literal['identifiers', 'paths', 'errors', 'numbers']",
        "messageId": "str",
    },
)


LostDirectivesItem = TypedDict(
    "LostDirectivesItem",
    {
        "messageId": "str",
        "sentence": "str",
    },
)


Lost = TypedDict(
    "Lost",
    {
        "names": "List[LostNamesItem]",
        "directives": "List[LostDirectivesItem]",
        "unlisted": "int",
    },
)


_MessageRequired = TypedDict(
    "_MessageRequired",
    {
        "role": "Role",
        "content": "Union[str, List[ContentBlock]]",
    },
)

_MessageOptional = TypedDict(
    "_MessageOptional",
    {
        "id": "str",
        "model": "str",
        "createdAt": "str",
        "subjects": "List[str]",
        "reasoning": "Literal['disposable']",
    },
    total=False,
)


class Message(_MessageRequired, _MessageOptional):
    """A message in Anthropic’s form."""


MessageInParts = TypedDict(
    "MessageInParts",
    {
        "role": "Role",
        "parts": "List[ReferencePart]",
    },
)


MessageRule = Literal["verbatim", "snipped", "collapsed", "dropped"]

MessageStage = Literal["offload-results", "snip", "micro", "prune", "drop-tool-outputs", "collapse", "drop-reasoning", "compose", "mask-outputs", "drop-groups", "newest-group", "truncate-messages"]

MessageWindow = TypedDict(
    "MessageWindow",
    {
        "revision": "int",
        "items": "List[ListedMessage]",
        "next": "Union[int, None]",
    },
)


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
    """A model; absent members are unknown"""


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
    """Source and reliability of a record’s figures"""


ModelLifecycle = Literal["active", "deprecated", "retired"]

ModelOrigin = Literal["shipped", "refreshed", "operator", "tenant"]

_ModelOverridesRequired = TypedDict(
    "_ModelOverridesRequired",
    {
        "model": "str",
    },
)

_ModelOverridesOptional = TypedDict(
    "_ModelOverridesOptional",
    {
        "warnAtShare": "float",
        "requireAtShare": "float",
        "blockAtShare": "float",
        "triggerBy": "TriggerMeasure",
        "triggerAtShare": "float",
        "triggerReserveTokens": "int",
        "triggerMessages": "int",
        "triggerTurns": "int",
        "triggerToolCalls": "int",
        "triggerMinutes": "int",
        "idleAtShare": "float",
        "keepRecentTurns": "int",
        "keepRecentTokens": "int",
        "targetShare": "float",
        "maxOutputTokens": "int",
        "maxOutputShare": "float",
        "maxSummaryTokens": "int",
        "maxSummaryShare": "float",
    },
    total=False,
)


class ModelOverrides(_ModelOverridesRequired, _ModelOverridesOptional):
    """Other values of a profile’s fields for some models"""


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
    """The prices of a model from one day until the next list"""


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
    """US dollars per million tokens, as vendors publish them"""


NamedSecret = TypedDict(
    "NamedSecret",
    {
        "name": "str",
        "createdAt": "str",
        "changedAt": "str",
        "lastUsedAt": "Union[str, None]",
    },
)


_NoteCountRequired = TypedDict(
    "_NoteCountRequired",
    {
        "action": "Literal['answered-open-call', 'quoted-stray-block', 'renamed-call', 'omitted-reasoning']",
        "count": "int",
    },
)

_NoteCountOptional = TypedDict(
    "_NoteCountOptional",
    {
        "reason": "ReasoningOmission",
    },
    total=False,
)


class NoteCount(_NoteCountRequired, _NoteCountOptional):
    """Number of changes of one kind by composing; for omitted reasoning also the cause"""


OccupancyMark = TypedDict(
    "OccupancyMark",
    {
        "revision": "int",
        "at": "str",
        "type": "EventType",
        "compactionId": "Union[str, None]",
        "trigger": "Union[str, None]",
        "profile": "Union[str, None]",
        "importedFrom": "Union[str, None]",
        "native": "Union[str, None]",
        "billedBefore": "Union[int, None]",
        "billedAfter": "Union[int, None]",
        "countedBefore": "Union[int, None]",
        "countedAfter": "Union[int, None]",
        "coveredMessages": "Union[int, None]",
        "fidelity": "Union[float, None]",
        "durationMs": "Union[float, None]",
        "nanoUsd": "Union[float, None]",
        "reason": "Union[str, None]",
        "erasure": "Union[str, None]",
    },
)


_OccupancyPointRequired = TypedDict(
    "_OccupancyPointRequired",
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

_OccupancyPointOptional = TypedDict(
    "_OccupancyPointOptional",
    {
        "activeMs": "int",
    },
    total=False,
)


class OccupancyPoint(_OccupancyPointRequired, _OccupancyPointOptional):
    """Occupancy at the end of a bin, in billed tokens"""


OccupancySeriesActivity = TypedDict(
    "OccupancySeriesActivity",
    {
        "activeMs": "int",
        "idle": "List[IdleTime]",
    },
)


_OccupancySeriesRequired = TypedDict(
    "_OccupancySeriesRequired",
    {
        "session": "str",
        "revision": "int",
        "from": "int",
        "to": "int",
        "width": "float",
        "occupancy": "int",
        "window": "int",
        "thresholds": "Union[Thresholds, None]",
        "points": "List[OccupancyPoint]",
        "marks": "List[OccupancyMark]",
        "omittedMarks": "int",
    },
)

_OccupancySeriesOptional = TypedDict(
    "_OccupancySeriesOptional",
    {
        "activity": "OccupancySeriesActivity",
    },
    total=False,
)


class OccupancySeries(_OccupancySeriesRequired, _OccupancySeriesOptional):
    pass


_OpenAiChatRequestRequired = TypedDict(
    "_OpenAiChatRequestRequired",
    {
        "model": "str",
        "messages": "List[Dict[str, Any]]",
        "max_completion_tokens": "int",
    },
)

_OpenAiChatRequestOptional = TypedDict(
    "_OpenAiChatRequestOptional",
    {
        "tools": "List[Dict[str, Any]]",
    },
    total=False,
)


class OpenAiChatRequest(_OpenAiChatRequestRequired, _OpenAiChatRequestOptional):
    """The body of `POST /v1/chat/completions`"""


_OpenAiResponsesRequestRequired = TypedDict(
    "_OpenAiResponsesRequestRequired",
    {
        "model": "str",
        "input": "List[Dict[str, Any]]",
        "store": "Literal[False]",
        "max_output_tokens": "int",
    },
)

_OpenAiResponsesRequestOptional = TypedDict(
    "_OpenAiResponsesRequestOptional",
    {
        "instructions": "str",
        "tools": "List[Dict[str, Any]]",
        "include": "List[str]",
    },
    total=False,
)


class OpenAiResponsesRequest(_OpenAiResponsesRequestRequired, _OpenAiResponsesRequestOptional):
    """The body of `POST /v1/responses`. The provider must not store it (`store: false`): the session holds the history"""


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
        "subjects": "List[str]",
        "parent": "str",
        "mandate": "str",
    },
    total=False,
)


class OpenSessionRequest(_OpenSessionRequestRequired, _OpenSessionRequestOptional):
    pass


Opened = TypedDict(
    "Opened",
    {
        "session": "str",
        "model": "str",
        "limits": "SessionLimits",
    },
)


OutputGone = TypedDict(
    "OutputGone",
    {
        "callId": "str",
        "rule": "PartRule",
        "droppedBy": "Union[str, None]",
    },
)


OverflowAnswer1 = TypedDict(
    "OverflowAnswer1",
    {
        "outcome": "Literal['compacted']",
        "compactionId": "str",
    },
)


OverflowAnswer2 = TypedDict(
    "OverflowAnswer2",
    {
        "outcome": "Literal['ladder']",
    },
)


OverflowAnswer3 = TypedDict(
    "OverflowAnswer3",
    {
        "outcome": "Literal['not-an-overflow']",
    },
)


OverflowAnswer = Union["OverflowAnswer1", "OverflowAnswer2", "OverflowAnswer3"]

OwnPrompt = TypedDict(
    "OwnPrompt",
    {
        "name": "str",
        "version": "int",
        "hash": "str",
        "lengths": "Dict[str, int]",
        "registeredBy": "str",
        "registeredAt": "str",
    },
)


_PartDigestsRequired = TypedDict(
    "_PartDigestsRequired",
    {
        "systemPrompt": "str",
        "tools": "str",
    },
)

_PartDigestsOptional = TypedDict(
    "_PartDigestsOptional",
    {
        "contributions": "str",
        "client": "str",
    },
    total=False,
)


class PartDigests(_PartDigestsRequired, _PartDigestsOptional):
    """SHA-256, hexadecimal, of the parts of a request that are not its history, as they were in force for it"""


PartRule = Literal["none", "summarized", "dropped", "verbatim", "offloaded", "cleared", "pruned", "masked", "cut", "snipped", "collapsed", "omitted", "cleared-by-provider"]

Pin = TypedDict(
    "Pin",
    {
        "pinId": "str",
        "kind": "PinKind",
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
        "kind": "PinKind",
    },
    total=False,
)


class PinContentRequest(_PinContentRequestRequired, _PinContentRequestOptional):
    pass


PinContentResponse = List["Pin"]

PinKind = Literal["constraint", "mandate", "children", "plan"]

PivotKind = Literal["compaction", "reset", "fork"]

PlanCompactionRequest = TypedDict(
    "PlanCompactionRequest",
    {
        "profile": "ProfileSource",
    },
    total=False,
)


PlanSizesCovered = TypedDict(
    "PlanSizesCovered",
    {
        "messages": "int",
        "tokens": "int",
    },
)


PlanSizesDroppedOutputs = TypedDict(
    "PlanSizesDroppedOutputs",
    {
        "outputs": "int",
        "freed": "int",
    },
)


PlanSizesTurns = TypedDict(
    "PlanSizesTurns",
    {
        "summarized": "int",
        "verbatim": "int",
        "split": "int",
        "snipped": "int",
        "collapsed": "int",
        "dropped": "int",
    },
)


PlanSizes = TypedDict(
    "PlanSizes",
    {
        "cut": "Cut",
        "stages": "List[StageName]",
        "countedBefore": "int",
        "countedSummaryLimit": "int",
        "splitTurn": "bool",
        "covered": "PlanSizesCovered",
        "retained": "int",
        "droppedOutputs": "PlanSizesDroppedOutputs",
        "countedAfterMax": "int",
        "billedBefore": "int",
        "billedAfterMax": "int",
        "turns": "PlanSizesTurns",
    },
)


PlanView1PlanCovered = TypedDict(
    "PlanView1PlanCovered",
    {
        "messages": "int",
        "from": "Union[str, None]",
        "to": "Union[str, None]",
    },
)


_PlanView1PlanRequired = TypedDict(
    "_PlanView1PlanRequired",
    {
        "countedSummaryLimit": "int",
        "retention": "List[TurnRetention]",
        "profile": "str",
        "stages": "List[StageName]",
        "cut": "Cut",
        "splitTurn": "bool",
        "covered": "PlanView1PlanCovered",
        "retained": "int",
        "droppedOutputs": "int",
        "countedBefore": "int",
        "billedBefore": "int",
        "billedTarget": "int",
        "target": "int",
    },
)

_PlanView1PlanOptional = TypedDict(
    "_PlanView1PlanOptional",
    {
        "protection": "ProtectionYield",
        "targetRaised": "RaisedTarget",
    },
    total=False,
)


class PlanView1Plan(_PlanView1PlanRequired, _PlanView1PlanOptional):
    pass


PlanView1 = TypedDict(
    "PlanView1",
    {
        "plan": "PlanView1Plan",
    },
)


PlanView2 = TypedDict(
    "PlanView2",
    {
        "plan": "None",
        "reason": "SkipReason",
    },
)


PlanView = Union["PlanView1", "PlanView2"]

Profile = TypedDict(
    "Profile",
    {
        "name": "str",
        "description": "str",
        "mode": "ProfileMode",
        "warnAtShare": "float",
        "requireAtShare": "float",
        "blockAtShare": "float",
        "triggerCheck": "Literal['request', 'step', 'turn']",
        "triggerBy": "TriggerMeasure",
        "triggerAtShare": "float",
        "triggerReserveTokens": "int",
        "explicitMidTurn": "Literal['run', 'refuse']",
        "idleAfterMinutes": "int",
        "idleAtShare": "float",
        "providerContextManagement": "Literal['none', 'configured']",
        "triggerMessages": "int",
        "triggerTurns": "int",
        "triggerToolCalls": "int",
        "triggerMinutes": "int",
        "perModel": "List[ModelOverrides]",
        "tokenCounting": "Literal['estimate', 'provider']",
        "unknownWindow": "Union[int, Literal['refuse']]",
        "keepBy": "Literal['turns', 'tokens']",
        "keepRecentTurns": "int",
        "keepRecentTokens": "int",
        "protection": "Literal['yields', 'strict']",
        "targetShare": "float",
        "maxRemainingShare": "float",
        "maxOutputTokens": "int",
        "maxOutputShare": "float",
        "maxSummaryTokens": "int",
        "maxSummaryShare": "float",
        "minOutputTokens": "int",
        "minOutputShare": "float",
        "stages": "List[StageName]",
        "exemptTools": "List[str]",
        "maxResultTokens": "int",
        "maxResultTokensPerMessage": "int",
        "previewTokens": "int",
        "viewAtShare": "float",
        "snipKeepSteps": "int",
        "microKeepResults": "int",
        "pruneKeepTokens": "int",
        "pruneMinGainTokens": "int",
        "pruneKeepTurns": "int",
        "offloadExemptTools": "List[str]",
        "offloadExemptMaxShare": "float",
        "viewKeepShare": "float",
        "snipKeepTurns": "int",
        "recall": "bool",
        "toolOutputs": "Literal['summarized', 'dropped']",
        "reasoning": "ReasoningPolicy",
        "summarizer": "str",
        "summaryInput": "Literal['transcript', 'prefix']",
        "hybrid": "bool",
        "nativeCompaction": "bool",
        "unverifiedQuotes": "Literal['flag', 'reject']",
        "factList": "bool",
        "keepUserMessageTokens": "int",
        "prompt": "str",
        "reinject": "List[Literal['plan', 'skills', 'files']]",
        "reinjectFiles": "List[str]",
        "maxReinjectTokens": "int",
        "maxAttempts": "int",
        "autoContinue": "bool",
        "breakerFailures": "int",
        "breakerCooldownTurns": "int",
        "breakerCooldownMinutes": "int",
        "ladder": "LadderPolicy",
    },
)


ProfileExplanation = TypedDict(
    "ProfileExplanation",
    {
        "profile": "str",
        "fields": "List[ExplainedField]",
    },
)


ProfileMode = Literal["automatic", "authorized", "off"]

ProfileSource = Union[str, Dict[str, Any]]

ProfileSummary = TypedDict(
    "ProfileSummary",
    {
        "stages": "List[StageName]",
        "name": "str",
        "mode": "ProfileMode",
        "description": "str",
    },
)


ProfileTheme = Literal["summary", "cut", "stages", "name", "budget", "triggers", "size", "failure"]

ProjectionStatus = TypedDict(
    "ProjectionStatus",
    {
        "projection": "str",
        "position": "Union[str, None]",
        "events": "int",
        "updatedAt": "Union[str, None]",
        "stoppedStreams": "int",
    },
)


Prompt = TypedDict(
    "Prompt",
    {
        "name": "str",
        "version": "str",
        "text": "str",
    },
)


PromptCacheEffect = TypedDict(
    "PromptCacheEffect",
    {
        "kept": "int",
        "rewritten": "int",
        "savedPerRequest": "int",
        "breakEvenRequests": "Union[int, None]",
    },
)


PromptPart = Literal["system", "transcript", "prefix", "sections"]

ProtectedPart = TypedDict(
    "ProtectedPart",
    {
        "wanted": "int",
        "kept": "Union[int, None]",
    },
)


ProtectionYield = TypedDict(
    "ProtectionYield",
    {
        "by": "Literal['turns', 'tokens']",
        "wanted": "int",
        "kept": "int",
        "countedUnreduced": "int",
        "countedLimit": "int",
        "reason": "str",
    },
)


_Provenance1Required = TypedDict(
    "_Provenance1Required",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['in-full', 'in-part', 'omitted']",
        "reason": "Literal['system', 'carried', 'not-compacted', 'after-the-cut']",
        "appendedAt": "int",
        "turn": "int",
        "tokens": "int",
        "rule": "MessageRule",
        "outputs": "List[OutputGone]",
        "reasoning": "ReasoningPlace",
        "stages": "List[MessageStage]",
    },
)

_Provenance1Optional = TypedDict(
    "_Provenance1Optional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class Provenance1(_Provenance1Required, _Provenance1Optional):
    pass


_Provenance2Required = TypedDict(
    "_Provenance2Required",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['covered', 'cleared']",
        "appendedAt": "int",
        "chain": "List[ProvenanceLink]",
        "reasoning": "ReasoningPlace",
    },
)

_Provenance2Optional = TypedDict(
    "_Provenance2Optional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class Provenance2(_Provenance2Required, _Provenance2Optional):
    pass


_Provenance3Required = TypedDict(
    "_Provenance3Required",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['withdrawn']",
        "appendedAt": "int",
    },
)

_Provenance3Optional = TypedDict(
    "_Provenance3Optional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class Provenance3(_Provenance3Required, _Provenance3Optional):
    pass


_Provenance4Required = TypedDict(
    "_Provenance4Required",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['pinned']",
        "kind": "PinKind",
        "tokens": "int",
    },
)

_Provenance4Optional = TypedDict(
    "_Provenance4Optional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class Provenance4(_Provenance4Required, _Provenance4Optional):
    pass


_Provenance5Required = TypedDict(
    "_Provenance5Required",
    {
        "session": "str",
        "message": "str",
        "revision": "int",
        "status": "Literal['unknown']",
        "forkedFrom": "Union[ForkSource, None]",
    },
)

_Provenance5Optional = TypedDict(
    "_Provenance5Optional",
    {
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
    },
    total=False,
)


class Provenance5(_Provenance5Required, _Provenance5Optional):
    pass


Provenance = Union["Provenance1", "Provenance2", "Provenance3", "Provenance4", "Provenance5"]

ProvenanceLinkCovered1 = TypedDict(
    "ProvenanceLinkCovered1",
    {
        "from": "str",
        "to": "str",
        "messages": "int",
    },
)


ProvenanceLink = TypedDict(
    "ProvenanceLink",
    {
        "compactionId": "str",
        "action": "Literal['covered', 'cleared', 'folded', 'carried-on']",
        "revision": "int",
        "at": "str",
        "covered": "Union[ProvenanceLinkCovered1, None]",
        "isInForce": "bool",
    },
)


PutSecretRequest = TypedDict(
    "PutSecretRequest",
    {
        "value": "str",
    },
)


QuoteCheck = TypedDict(
    "QuoteCheck",
    {
        "checked": "int",
        "unfounded": "List[Union[str, None]]",
    },
)


RaisedTarget = TypedDict(
    "RaisedTarget",
    {
        "from": "int",
        "reason": "str",
    },
)


ReadKind = Literal["audit", "content"]

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


ReasoningOmission = Literal["unsigned", "foreign-provider", "bound-to-changed-prefix", "nothing-follows"]

ReasoningPlace = TypedDict(
    "ReasoningPlace",
    {
        "rule": "PartRule",
        "isDisposable": "bool",
    },
)


ReasoningPolicy = Literal["summarize", "drop-when-compacted", "drop-beyond-protected"]

RecallHistoryRequest = Dict[str, Any]

Recalled = TypedDict(
    "Recalled",
    {
        "content": "str",
        "isError": "bool",
        "messages": "List[str]",
    },
)


_ReferencePart1Required = TypedDict(
    "_ReferencePart1Required",
    {
        "message": "str",
    },
)

_ReferencePart1Optional = TypedDict(
    "_ReferencePart1Optional",
    {
        "blocks": "List[int]",
    },
    total=False,
)


class ReferencePart1(_ReferencePart1Required, _ReferencePart1Optional):
    pass


ReferencePart2 = TypedDict(
    "ReferencePart2",
    {
        "content": "List[ContentBlock]",
    },
)


ReferencePart = Union["ReferencePart1", "ReferencePart2"]

ReferencedMessage = Union[str, "MessageInParts"]

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
        "types": "List[EventType]",
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
        "types": "List[EventType]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
        "registeredAt": "str",
        "secret": "str",
    },
)


_ReleasedRequired = TypedDict(
    "_ReleasedRequired",
    {
        "released": "bool",
    },
)

_ReleasedOptional = TypedDict(
    "_ReleasedOptional",
    {
        "compactionId": "str",
    },
    total=False,
)


class Released(_ReleasedRequired, _ReleasedOptional):
    pass


_Remedy1Required = TypedDict(
    "_Remedy1Required",
    {
        "remedy": "Literal['wait']",
    },
)

_Remedy1Optional = TypedDict(
    "_Remedy1Optional",
    {
        "billedAfter": "int",
    },
    total=False,
)


class Remedy1(_Remedy1Required, _Remedy1Optional):
    pass


Remedy2 = TypedDict(
    "Remedy2",
    {
        "remedy": "Literal['compact']",
        "billedAfter": "int",
    },
)


Remedy3 = TypedDict(
    "Remedy3",
    {
        "remedy": "Literal['reset']",
        "billedAfter": "int",
    },
)


Remedy4 = TypedDict(
    "Remedy4",
    {
        "remedy": "Literal['reduce-context']",
        "billedAfter": "int",
    },
)


Remedy5 = TypedDict(
    "Remedy5",
    {
        "remedy": "Literal['override']",
        "billedAfter": "int",
        "maxOutput": "int",
    },
)


Remedy6 = TypedDict(
    "Remedy6",
    {
        "remedy": "Literal['shorten']",
        "billedAfter": "int",
    },
)


Remedy7 = TypedDict(
    "Remedy7",
    {
        "remedy": "Literal['truncate-message']",
        "billedAfter": "int",
        "messageId": "str",
        "billedTokens": "int",
    },
)


Remedy8 = TypedDict(
    "Remedy8",
    {
        "remedy": "Literal['use-larger-model']",
        "window": "int",
    },
)


Remedy = Union["Remedy1", "Remedy2", "Remedy3", "Remedy4", "Remedy5", "Remedy6", "Remedy7", "Remedy8"]

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


_ReportSessionUsageRequestRequired = TypedDict(
    "_ReportSessionUsageRequestRequired",
    {
        "usage": "ReportedUsage",
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


ReportedUsage = TypedDict(
    "ReportedUsage",
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


RequestCompactionResponse = Union["RequestedCompaction", "CompactionOutcome"]

RequestedCompaction1 = TypedDict(
    "RequestedCompaction1",
    {
        "status": "Literal['deferred']",
        "compactionId": "str",
    },
)


RequestedCompaction2 = TypedDict(
    "RequestedCompaction2",
    {
        "status": "Literal['requested', 'joined']",
        "compactionId": "str",
    },
)


RequestedCompaction3 = TypedDict(
    "RequestedCompaction3",
    {
        "status": "Literal['skipped']",
        "compactionId": "str",
        "reason": "SkipReason",
    },
)


RequestedCompaction = Union["RequestedCompaction1", "RequestedCompaction2", "RequestedCompaction3"]

ResetDone1 = TypedDict(
    "ResetDone1",
    {
        "session": "str",
        "reset": "Literal[False]",
    },
)


ResetDone2 = TypedDict(
    "ResetDone2",
    {
        "session": "str",
        "reset": "Literal[True]",
        "compactionId": "str",
        "clearedMessages": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
    },
)


ResetDone = Union["ResetDone1", "ResetDone2"]

ResetExplanationCleared = TypedDict(
    "ResetExplanationCleared",
    {
        "messages": "int",
        "ids": "List[str]",
    },
)


ResetExplanation = TypedDict(
    "ResetExplanation",
    {
        "session": "str",
        "compactionId": "str",
        "revision": "int",
        "at": "str",
        "kind": "Literal['reset']",
        "standing": "Standing",
        "actor": "str",
        "reason": "str",
        "turn": "int",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
        "cleared": "ResetExplanationCleared",
        "carried": "Union[str, None]",
    },
)


ResetSessionRequest = TypedDict(
    "ResetSessionRequest",
    {
        "confirm": "bool",
        "reason": "str",
    },
    total=False,
)


RetentionColumn = TypedDict(
    "RetentionColumn",
    {
        "compactionId": "str",
        "kind": "PivotKind",
        "revision": "int",
        "at": "str",
        "turn": "int",
        "importedFrom": "Union[str, None]",
        "isReverted": "bool",
        "isInForce": "bool",
    },
)


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


RetentionMap = TypedDict(
    "RetentionMap",
    {
        "session": "str",
        "revision": "int",
        "turns": "int",
        "from": "int",
        "columns": "List[RetentionColumn]",
        "omittedColumns": "int",
        "rows": "List[RetentionRow]",
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


RetentionRowCellsItem1 = TypedDict(
    "RetentionRowCellsItem1",
    {
        "rule": "RetentionRule",
        "toolOutputs": "PartRule",
        "reasoning": "PartRule",
    },
)


RetentionRow = TypedDict(
    "RetentionRow",
    {
        "turn": "int",
        "from": "str",
        "to": "str",
        "messages": "int",
        "tokens": "int",
        "cells": "List[Union[RetentionRowCellsItem1, None]]",
    },
)


RetentionRule = Literal["summarized", "verbatim", "split", "snipped", "collapsed", "dropped"]

RetriedProjection = TypedDict(
    "RetriedProjection",
    {
        "projection": "str",
        "streams": "int",
    },
)


RetryStoppedStreamsRequest = TypedDict(
    "RetryStoppedStreamsRequest",
    {
        "position": "str",
    },
    total=False,
)


RevertCompactionRequest = TypedDict(
    "RevertCompactionRequest",
    {
        "compactionId": "str",
        "reason": "str",
    },
    total=False,
)


Reverted = TypedDict(
    "Reverted",
    {
        "compactionId": "str",
        "restored": "Union[str, None]",
        "reason": "str",
        "countedBefore": "int",
        "countedAfter": "int",
        "billedBefore": "int",
        "billedAfter": "int",
        "messagesBefore": "int",
        "carried": "Union[str, None]",
        "compactions": "int",
    },
)


RevisionRange = TypedDict(
    "RevisionRange",
    {
        "from": "int",
        "to": "int",
    },
)


RevokeKeyResponse = TypedDict(
    "RevokeKeyResponse",
    {
        "keyId": "str",
        "state": "Literal['revoked']",
    },
)


Role = Literal["user", "assistant", "system"]

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
        "role": "KeyRole",
        "permissions": "List[KeyPermission]",
        "prefix": "str",
        "label": "str",
        "expiresAt": "Union[str, None]",
        "replaces": "str",
        "validUntil": "str",
    },
)


RotateLogKeyRequest = TypedDict(
    "RotateLogKeyRequest",
    {
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


RotatedLogKey = TypedDict(
    "RotatedLogKey",
    {
        "keys": "List[str]",
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


_SessionLimitsRequired = TypedDict(
    "_SessionLimitsRequired",
    {
        "window": "int",
        "windowSource": "Literal['model', 'given', 'assumed']",
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
    """The capacity of a session: the window, and its share for input"""


SessionProtection = TypedDict(
    "SessionProtection",
    {
        "session": "str",
        "period": "Union[RetentionPeriod, None]",
        "holds": "List[LegalHold]",
        "barrier": "Union[ErasureBarrier, None]",
    },
)


SessionSort = Literal["-lastActivity", "lastActivity", "-occupancy", "occupancy", "-opened", "opened"]

SessionSummary = TypedDict(
    "SessionSummary",
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
        "state": "BudgetState",
        "compactions": "int",
        "revision": "int",
        "profile": "str",
        "model": "str",
        "openedAt": "str",
        "lastActivityAt": "str",
    },
)


SessionViewSettings = TypedDict(
    "SessionViewSettings",
    {
        "model": "str",
        "profile": "Profile",
        "limits": "SessionLimits",
    },
)


SessionViewBudget = TypedDict(
    "SessionViewBudget",
    {
        "occupancy": "int",
        "window": "int",
        "state": "BudgetState",
        "ladder": "Union[LadderUse, None]",
        "duplicateCompaction": "bool",
    },
)


SessionViewCompaction1 = TypedDict(
    "SessionViewCompaction1",
    {
        "compactionId": "str",
        "status": "Literal['requested', 'deferred']",
    },
)


SessionViewHold1 = TypedDict(
    "SessionViewHold1",
    {
        "until": "HoldUntil",
        "by": "str",
        "reason": "str",
        "turn": "int",
    },
)


_SessionViewRequired = TypedDict(
    "_SessionViewRequired",
    {
        "session": "str",
        "revision": "int",
        "status": "Literal['open', 'closed']",
        "parent": "Union[str, None]",
        "title": "Union[str, None]",
        "agent": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "lastErasure": "Union[str, None]",
        "settings": "SessionViewSettings",
        "budget": "SessionViewBudget",
        "pins": "List[Pin]",
        "messages": "int",
        "turn": "int",
        "isInTurn": "bool",
        "compactions": "int",
        "pivot": "Union[str, None]",
        "compaction": "Union[SessionViewCompaction1, None]",
        "hold": "Union[SessionViewHold1, None]",
    },
)

_SessionViewOptional = TypedDict(
    "_SessionViewOptional",
    {
        "erased": "Erased",
    },
    total=False,
)


class SessionView(_SessionViewRequired, _SessionViewOptional):
    """The current state of a session without its content"""


Settings = TypedDict(
    "Settings",
    {
        "profile": "Profile",
        "window": "int",
        "model": "str",
        "title": "Union[str, None]",
        "project": "Union[str, None]",
        "labels": "Dict[str, str]",
        "changed": "List[str]",
    },
)


Shortening = TypedDict(
    "Shortening",
    {
        "rung": "LadderRung",
        "masked": "int",
        "droppedGroups": "int",
        "truncated": "List[TruncatedMessage]",
        "tokens": "int",
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


SkipReason1 = TypedDict(
    "SkipReason1",
    {
        "rule": "Literal['nothing-to-drop']",
        "messages": "int",
        "counted": "int",
        "occupancy": "int",
    },
)


SkipReason2 = TypedDict(
    "SkipReason2",
    {
        "rule": "Literal['floor-too-high']",
        "countedFloor": "int",
        "countedBudget": "int",
        "parts": "List[FloorPart]",
    },
)


SkipReason3 = TypedDict(
    "SkipReason3",
    {
        "rule": "Literal['no-gain']",
        "countedBefore": "int",
        "countedAfter": "int",
        "countedLimit": "int",
    },
)


SkipReason4 = TypedDict(
    "SkipReason4",
    {
        "rule": "Literal['protection-strict']",
        "countedProtected": "int",
        "countedTarget": "int",
    },
)


SkipReason = Union["SkipReason1", "SkipReason2", "SkipReason3", "SkipReason4"]

SkipStoppedStreamRequest = TypedDict(
    "SkipStoppedStreamRequest",
    {
        "position": "str",
        "reason": "str",
    },
)


SkippedLine = TypedDict(
    "SkippedLine",
    {
        "line": "int",
        "reason": "str",
    },
)


SkippedProjection = TypedDict(
    "SkippedProjection",
    {
        "projection": "str",
        "position": "str",
        "stream": "str",
        "revision": "int",
    },
)


StageName = Literal["offload-results", "snip", "micro", "prune", "drop-tool-outputs", "summarize", "collapse"]

Standing1 = TypedDict(
    "Standing1",
    {
        "is": "Literal['in-force']",
    },
)


Standing2 = TypedDict(
    "Standing2",
    {
        "is": "Literal['superseded']",
        "by": "str",
        "kind": "PivotKind",
    },
)


Standing3 = TypedDict(
    "Standing3",
    {
        "is": "Literal['reverted']",
        "reason": "str",
        "restored": "Union[str, None]",
        "revision": "int",
        "at": "str",
    },
)


Standing4 = TypedDict(
    "Standing4",
    {
        "is": "Literal['erased']",
        "erasure": "str",
        "restored": "Union[str, None]",
        "revision": "int",
        "at": "str",
    },
)


Standing = Union["Standing1", "Standing2", "Standing3", "Standing4"]

StoppedStream = TypedDict(
    "StoppedStream",
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


StoredMessagePart = TypedDict(
    "StoredMessagePart",
    {
        "unit": "Literal['bytes', 'lines']",
        "from": "int",
        "count": "int",
        "of": "int",
        "text": "str",
    },
)


_StoredMessageRequired = TypedDict(
    "_StoredMessageRequired",
    {
        "session": "str",
        "id": "str",
        "revision": "int",
        "recordedAt": "str",
        "role": "Role",
        "countedTokens": "int",
        "content": "List[ContentBlock]",
    },
)

_StoredMessageOptional = TypedDict(
    "_StoredMessageOptional",
    {
        "model": "str",
        "createdAt": "str",
        "synthetic": "Literal['continuation', 'restated']",
        "erased": "Erased",
        "block": "int",
        "part": "StoredMessagePart",
    },
    total=False,
)


class StoredMessage(_StoredMessageRequired, _StoredMessageOptional):
    """An original message"""


_SummarizerIdentityRequired = TypedDict(
    "_SummarizerIdentityRequired",
    {
        "name": "str",
        "promptVersion": "str",
        "deterministic": "bool",
    },
)

_SummarizerIdentityOptional = TypedDict(
    "_SummarizerIdentityOptional",
    {
        "model": "str",
    },
    total=False,
)


class SummarizerIdentity(_SummarizerIdentityRequired, _SummarizerIdentityOptional):
    """Everything that determines a summarizer’s output, so that an auditor can compare two runs"""


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

TenantEventType = Literal["ApiKeyIssued", "ApiKeyRevoked", "ApiKeyRotated", "ErasureApproved", "ErasureCompleted", "ErasureDeferred", "ErasurePolicyChanged", "ErasureRequested", "ErasureWithdrawn", "LimitsChanged", "LogKeyRotated", "ModelConfigured", "ModelRemoved", "PromptRegistered", "RetentionDefaultsSet", "SecretRemoved", "SecretStored", "SummarizersConfigured", "TenantEventSkipped", "TenantRegistered", "WebhookChanged", "WebhookDeliverySkipped", "WebhookRegistered", "WebhookRemoved", "WebhookSecretRotated"]

TenantLimits = TypedDict(
    "TenantLimits",
    {
        "requestsPerSecond": "int",
        "requestsPerMinute": "int",
        "tokensPerMinute": "int",
        "concurrentCompactions": "int",
    },
)


TenantSummarizers = TypedDict(
    "TenantSummarizers",
    {
        "default": "Union[str, None]",
        "summarizers": "Dict[str, List[SummarizerLink]]",
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
        "role": "Role",
        "block": "int",
        "excerpt": "str",
    },
)


TextMatches = TypedDict(
    "TextMatches",
    {
        "matches": "List[TextMatch]",
        "searched": "int",
        "before": "Union[str, None]",
    },
)


Thresholds = TypedDict(
    "Thresholds",
    {
        "warning": "int",
        "trigger": "int",
        "critical": "int",
        "blocking": "int",
    },
)


_TokenRatesRequired = TypedDict(
    "_TokenRatesRequired",
    {
        "input": "int",
        "output": "int",
    },
)

_TokenRatesOptional = TypedDict(
    "_TokenRatesOptional",
    {
        "cacheRead": "int",
        "cacheWrite": "int",
        "cacheWrite1h": "int",
    },
    total=False,
)


class TokenRates(_TokenRatesRequired, _TokenRatesOptional):
    """Prices of one token, in billionths of a US dollar: a dollar for a million tokens is 1,000"""


TranscriptFormat = Literal["claude-code", "pi", "codex", "opencode", "gemini-cli", "copilot-cli", "openhands", "swe-agent", "openai-responses", "anthropic-messages", "openai-messages"]

TrialResult1 = TypedDict(
    "TrialResult1",
    {
        "countedAfter": "int",
        "billedAfter": "int",
        "summaryTokens": "int",
        "fidelity": "Union[ExplainedFidelity, None]",
        "requestNanoUsd": "Union[int, None]",
        "summaryNanoUsd": "Union[int, None]",
    },
)


TrialResult2 = TypedDict(
    "TrialResult2",
    {
        "refused": "str",
    },
)


TrialResult = Union["TrialResult1", "TrialResult2"]

Trigger = Literal["threshold", "explicit", "overflow", "requested-mid-turn", "idle", "model-switched", "policy", "imported"]

TriggerMeasure = Literal["share", "reserve", "usable-budget"]

TruncatedMessage = TypedDict(
    "TruncatedMessage",
    {
        "messageId": "str",
        "countedBefore": "int",
        "countedAfter": "int",
    },
)


TurnRetention = TypedDict(
    "TurnRetention",
    {
        "turn": "int",
        "from": "str",
        "to": "str",
        "messages": "int",
        "tokens": "int",
        "rule": "RetentionRule",
        "toolOutputs": "PartRule",
        "reasoning": "PartRule",
    },
)


UnpinContentResponse = List["Pin"]

_UsageRequired = TypedDict(
    "_UsageRequired",
    {
        "inputTokens": "int",
        "cacheReadTokens": "int",
        "cacheWriteTokens": "int",
        "outputTokens": "int",
    },
)

_UsageOptional = TypedDict(
    "_UsageOptional",
    {
        "cacheWrite1hTokens": "int",
    },
    total=False,
)


class Usage(_UsageRequired, _UsageOptional):
    """Tokens that the provider billed for one request. The counts do not overlap"""


UsageGroupSum = TypedDict(
    "UsageGroupSum",
    {
        "calls": "int",
        "tokens": "BilledTokens",
        "cost": "CostTotal",
        "compactions": "CompactionTotals",
        "key": "Union[str, None]",
        "source": "UsageSource",
    },
)


UsageSource = Literal["live", "import"]

UsageSum = TypedDict(
    "UsageSum",
    {
        "calls": "int",
        "tokens": "BilledTokens",
        "cost": "CostTotal",
        "compactions": "CompactionTotals",
    },
)


UsageTaken = TypedDict(
    "UsageTaken",
    {
        "recorded": "bool",
        "requestId": "Union[str, None]",
        "countsFor": "Union[Literal['occupancy', 'cost'], None]",
        "occupancy": "int",
        "window": "int",
        "state": "BudgetState",
    },
)


UsageTotals = TypedDict(
    "UsageTotals",
    {
        "total": "UsageSum",
        "live": "UsageSum",
        "import": "UsageSum",
        "groups": "List[UsageGroupSum]",
        "omittedGroups": "int",
    },
)


VerifiedTruncated1 = TypedDict(
    "VerifiedTruncated1",
    {
        "from": "int",
        "to": "int",
    },
)


Verified = TypedDict(
    "Verified",
    {
        "countedBefore": "int",
        "countedAfter": "int",
        "countedLimit": "int",
        "billedBefore": "int",
        "billedAfter": "int",
        "summaryTokens": "int",
        "durationMs": "float",
        "warningCleared": "bool",
        "fidelity": "Union[ExplainedFidelity, None]",
        "quotes": "Union[QuoteCheck, None]",
        "truncated": "Union[VerifiedTruncated1, None]",
    },
)


VerifiedHead = TypedDict(
    "VerifiedHead",
    {
        "origin": "str",
        "size": "int",
        "root": "str",
        "keys": "List[str]",
    },
)


VerifyLiveRequest = TypedDict(
    "VerifyLiveRequest",
    {
        "policy": "str",
        "remembered": "List[VerifiedHead]",
    },
    total=False,
)


Violation = TypedDict(
    "Violation",
    {
        "rule": "str",
        "at": "int",
    },
)


Wait = TypedDict(
    "Wait",
    {
        "revision": "int",
        "at": "str",
        "trigger": "Trigger",
        "reason": "str",
        "by": "str",
        "until": "HoldUntil",
    },
)


Webhook = TypedDict(
    "Webhook",
    {
        "webhookId": "str",
        "url": "str",
        "label": "str",
        "types": "List[EventType]",
        "sessions": "List[str]",
        "content": "Literal['none', 'full']",
        "registeredAt": "str",
    },
)


WebhookDelivery = TypedDict(
    "WebhookDelivery",
    {
        "delivery": "str",
        "session": "str",
        "revision": "int",
        "type": "EventType",
        "state": "DeliveryState",
        "attempts": "int",
        "nextAt": "Union[str, None]",
        "lastOutcome": "Union[str, None]",
        "lastTriedAt": "Union[str, None]",
    },
)


WhatIfOutcome1 = TypedDict(
    "WhatIfOutcome1",
    {
        "profile": "str",
        "isOwn": "bool",
        "plan": "PlanSizes",
        "trial": "TrialResult",
    },
)


WhatIfOutcome2 = TypedDict(
    "WhatIfOutcome2",
    {
        "profile": "str",
        "isOwn": "bool",
        "plan": "None",
        "reason": "SkipReason",
    },
)


WhatIfOutcome = Union["WhatIfOutcome1", "WhatIfOutcome2"]

WhatIfView = TypedDict(
    "WhatIfView",
    {
        "tokens": "int",
        "window": "int",
        "state": "BudgetState",
        "requestNanoUsd": "Union[int, None]",
        "inFlight": "Union[str, None]",
        "outcomes": "List[WhatIfOutcome]",
    },
)


WhyCut = TypedDict(
    "WhyCut",
    {
        "stages": "List[StageName]",
        "cut": "Cut",
        "splitTurn": "bool",
        "carried": "Union[str, None]",
        "protectedTurns": "Union[ProtectedPart, None]",
        "protectedTokens": "Union[ProtectedPart, None]",
        "protection": "Union[ProtectionYield, None]",
        "countedBefore": "int",
        "target": "int",
        "targetRaised": "Union[RaisedTarget, None]",
        "countedSummaryLimit": "Union[int, None]",
    },
)


WhyNowCount1 = TypedDict(
    "WhyNowCount1",
    {
        "by": "Literal['messages', 'turns', 'tool-calls', 'minutes']",
        "reached": "int",
        "at": "int",
    },
)


WhyNow = TypedDict(
    "WhyNow",
    {
        "revision": "int",
        "at": "str",
        "trigger": "Trigger",
        "count": "Union[WhyNowCount1, None]",
        "actor": "str",
        "profile": "str",
        "mode": "ProfileMode",
        "withInstructions": "bool",
        "turn": "int",
        "occupancy": "int",
        "window": "int",
        "deferred": "List[Wait]",
        "thresholds": "Union[Thresholds, None]",
    },
)


WireFormat = Literal["anthropic", "openai-chat", "openai-responses"]

WireNote1 = TypedDict(
    "WireNote1",
    {
        "action": "Literal['answered-open-call']",
        "callId": "str",
    },
)


WireNote2 = TypedDict(
    "WireNote2",
    {
        "action": "Literal['quoted-stray-block']",
        "messageId": "str",
        "type": "str",
    },
)


WireNote3 = TypedDict(
    "WireNote3",
    {
        "action": "Literal['renamed-call']",
        "callId": "str",
        "to": "str",
    },
)


WireNote4 = TypedDict(
    "WireNote4",
    {
        "action": "Literal['omitted-reasoning']",
        "messageId": "str",
        "reason": "ReasoningOmission",
    },
)


WireNote = Union["WireNote1", "WireNote2", "WireNote3", "WireNote4"]

WithdrawErasureRequest = TypedDict(
    "WithdrawErasureRequest",
    {
        "reason": "str",
    },
)
