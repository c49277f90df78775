import { REINJECTABLES, type SessionEvent, THRESHOLD_NAMES } from '@app/domain';
import type { StoredEvent } from '@app/ports';
import { z } from 'zod';
import { schemasOf } from './fitting.js';
import { call, droppedOutput as dropped, imported, STAGE_SCHEMAS } from './mark-schemas.js';
import { PROTECTION_SCHEMAS } from './protection-schemas.js';
import { calibration, HOLD_SCHEMAS, REQUEST_SCHEMAS, until } from './request-schemas.js';
import {
  crossing,
  cut,
  description,
  error,
  limits,
  message,
  modelName,
  opened,
  opening,
  pin,
  profile,
  summarizer,
  trigger,
} from './shapes.js';
import { bill, cost, erased, id, ofSubjects, text, tokens, usage } from './values.js';

/** Context edits of the provider. */
const cleared = {
  clearedToolUses: z.int().min(0),
  clearedThinkingTurns: z.int().min(0),
  clearedInputTokens: tokens,
};
const retained = z.looseObject({ turn: z.int(), from: id, to: id, messages: z.int(), tokens, rule: id });
const fileOperations = z.object({
  read: z.array(text),
  modified: z.array(text),
  deleted: z.array(text).optional(),
  renamed: z.array(z.object({ from: text, to: text })).optional(),
});
const kept = z.object({ kept: z.int(), of: z.int() });
const fidelity = z.object({
  score: z.number().min(0).max(1),
  keys: z.int(),
  missing: z.array(z.object({ key: text, messageId: id })),
  missingKeys: z.int().optional(),
  kinds: z.object({ identifiers: kept, paths: kept, errors: kept, numbers: kept }).optional(),
  directives: kept.extend({
    missing: z.array(id).optional(),
    lost: z.array(z.object({ messageId: id, sentence: text })).optional(),
  }),
});
const targetRaised = z.object({ from: tokens, reason: text });
const protection = z.object({
  by: z.enum(['turns', 'tokens']),
  wanted: z.int().min(0),
  kept: z.int().min(0),
  countedUnreduced: tokens,
  countedLimit: tokens,
  reason: text,
});
/** The intended size, in billed tokens, and why it is not the profile's. */
const goal = { target: tokens, targetRaised: targetRaised.optional(), protection: protection.optional() };
const asked = z.object({
  ...ofSubjects,
  compactionId: id,
  trigger,
  profile,
  instructions: text.optional(),
  occupancy: tokens,
  turn: z.int(),
  deferredAt: z.int().min(0).optional(),
});
/** Before and after, counted and billed. */
const sizes = { countedBefore: tokens, countedAfter: tokens, billedBefore: tokens, billedAfter: tokens };
const reinjected = z.array(
  z.object({
    kind: z.enum(REINJECTABLES),
    name: text,
    messageId: id,
    callId: text,
    text,
    countedTokens: tokens,
  }),
);
const quotes = z.object({ checked: z.int().min(0), unfounded: z.array(id.nullable()) });
const attempt = z.object({ compactionId: id, attempt: z.int() });
const reason = z.looseObject({
  rule: z.enum(['nothing-to-drop', 'floor-too-high', 'no-gain', 'protection-strict']),
});

/** The shape of every event that may be stored. Members that are not named here pass unread: a later version adds some. */
export const SCHEMAS = schemasOf<SessionEvent>()({
  SessionOpened: opened,
  MessageAppended: z.object({ message, tokens, blockTokens: z.array(tokens), estimator: id }),
  UsageReported: z.object({
    usage,
    cost: cost.optional(),
    model: modelName,
    outcome: z.enum(['completed', 'aborted', 'failed']),
    source: z.enum(['reported', 'transcript']),
    requestId: id.optional(),
    at: text.optional(),
    messageId: id.optional(),
    countsFor: z.enum(['occupancy', 'cost']),
    occupancyAfter: tokens,
    calibration: calibration.optional(),
  }),
  SettingsChanged: z.object({ profile, limits, changed: z.array(id) }),
  SessionDescribed: description.extend({ changed: z.array(z.enum(['title', 'project', 'labels'])) }),
  ModelSwitched: z.object({
    from: text,
    model: modelName,
    limits,
    occupancyAfter: tokens,
    thresholds: z.object({ warning: tokens, critical: tokens, blocking: tokens }),
  }),
  SessionClosed: z.object({ ...ofSubjects, reason: text }),
  ContentPinned: z.object({ pin, occupancyAfter: tokens }),
  ContentUnpinned: z.object({ pinId: id, occupancyAfter: tokens }),
  TurnCompleted: z.object({ turn: z.int(), stopReason: text }),
  ToolCallAbandoned: z.object({
    calls: z.array(call),
    reason: z.enum(['unanswered-after-turn', 'model-continued']),
  }),
  ...REQUEST_SCHEMAS,
  ...STAGE_SCHEMAS,
  ProviderContextEdited: z.object({
    turn: z.int(),
    responseId: id.optional(),
    ...cleared,
    compaction: z.object(bill).optional(),
    reasoningClearedIn: z.array(z.int()),
  }),
  DuplicateCompactionConfigured: z.object({
    profile: id,
    since: z.enum(['session-start', 'settings-changed']),
  }),
  WarningThresholdReached: crossing,
  CompactionRequired: crossing,
  BlockingThresholdReached: crossing,
  OccupancyFell: crossing.extend({
    below: z.enum(['warning', 'critical', 'blocking']),
    state: z.enum(['normal', 'warning', 'critical', 'blocking']),
  }),
  CompactionThresholdHit: crossing.extend({
    by: z.enum(THRESHOLD_NAMES),
    reached: z.int().min(0).optional(),
    at: z.int().min(1).optional(),
  }),
  CompactionRequested: asked.extend({
    plan: z
      .object({
        stages: z.array(id),
        cut,
        ...goal,
        coveredMessages: z.int().min(0),
        countedBefore: tokens,
        messages: z.int().min(0),
        turn: z.int(),
      })
      .optional(),
    contributed: tokens.optional(),
    willContinue: z.boolean().optional(),
    count: z
      .object({
        by: z.enum(['messages', 'turns', 'tool-calls', 'minutes']),
        reached: z.int().min(0),
        at: z.int().min(1),
      })
      .optional(),
  }),
  CompactionDeferred: asked.extend({ until, by: id, reason: text }),
  ...HOLD_SCHEMAS,
  ...PROTECTION_SCHEMAS,
  CompactionSkipped: z.object({ compactionId: id.optional(), trigger, reason }),
  CompactionStarted: attempt.extend({
    ...ofSubjects,
    worker: id,
    summarizer,
    stages: z.array(id),
    turn: z.int(),
    cut,
    splitTurn: z.boolean(),
    coveredMessages: z.int(),
    coveredTokens: tokens,
    countedBefore: tokens,
    billedBefore: tokens,
    ...goal,
    replanned: z.literal(true).optional(),
    inputHash: text,
    contextLines: z.array(text).optional(),
  }),
  CompactionAttemptFailed: attempt.extend({
    error,
    retryAt: text.optional(),
    ...bill,
  }),
  CompactionSummaryExceededLimit: attempt.extend({ tokens, countedLimit: tokens }),
  CompactionReasoningDowngraded: attempt.extend({ marks: z.int().min(0), blocks: z.int().min(0) }),
  CompactionYieldedNoGain: attempt.extend({
    countedBefore: tokens,
    countedAfter: tokens,
    countedLimit: tokens,
  }),
  CompactionMadeNoProgress: z.object({
    compactionId: id,
    compactions: z.int().min(2),
    occupancyAfter: tokens,
    threshold: tokens,
  }),
  CompactionCompleted: attempt.extend({
    ...ofSubjects,
    worker: id,
    trigger,
    turn: z.int(),
    summary: text.nullable(),
    summaryTokens: tokens,
    reinjected: reinjected.optional(),
    truncated: z.object({ from: tokens, to: tokens }).optional(),
    quotes: quotes.optional(),
    cut: cut.nullable(),
    splitTurn: z.boolean(),
    covered: z.object({ from: id, to: id, messages: z.int() }).nullable(),
    ...sizes,
    ...goal,
    retention: z.array(retained),
    droppedOutputs: z.array(dropped),
    reasoningDropped: z.array(id).optional(),
    fileOperations,
    summarizer,
    native: z.looseObject({ provider: id, model: id }).optional(),
    ...bill,
    fidelity: fidelity.optional(),
    durationMs: z.number().min(0),
    imported: imported.optional(),
    messagesDuringRun: z.int().min(0).optional(),
    completedAt: text.optional(),
    opening,
  }),
  CompactionFailed: z.object({ compactionId: id, attempts: z.int(), error }),
  CompactionApplied: z.object({
    compactionId: id,
    ...sizes,
    warningCleared: z.boolean(),
  }),
  CompactionDuplicated: attempt.extend({
    worker: id,
    ...bill,
    provider: z.object({ compacted: z.boolean(), ...cleared }).optional(),
    applied: z.object({ worker: id, ...bill }).optional(),
  }),
  CompactionAwaited: z.object({ compactionId: id, turn: z.int() }),
  ContinuationQueued: z.object({
    compactionId: id,
    messageId: id,
    turn: z.int(),
    reason: z.enum(['threshold', 'overflow', 'model-switched']),
  }),
  CompactionCancelled: z.object({
    ...ofSubjects,
    compactionId: id,
    by: z.enum(['reset', 'revert', 'close', 'caller', 'hook', 'erasure']),
    reason: text,
  }),
  CompactionCircuitOpened: z.object({
    failures: z.int(),
    turn: z.int(),
    cooldownTurns: z.int().min(0),
    cooldownMinutes: z.int().min(0),
    openedAt: text.optional(),
  }),
  CompactionCircuitHalfOpened: z.object({
    reason: z.enum(['turns-passed', 'time-passed', 'explicit-request']),
    turn: z.int(),
  }),
  CompactionCircuitClosed: z.object({ reason: z.enum(['trial-succeeded', 'new-context']), turn: z.int() }),
  CompactionReverted: z.object({
    ...ofSubjects,
    compactionId: id,
    restored: id.nullable(),
    reason: text,
    ...sizes,
    messagesBefore: z.int(),
    carried: id.nullable(),
    compactions: z.int(),
  }),
  ProjectionSkipped: z.object({ projection: id, revision: z.int().min(0), position: text, reason: text }),
  SessionReset: z.object({
    ...ofSubjects,
    compactionId: id,
    reason: text,
    turn: z.int(),
    clearedMessages: z.int(),
    at: text.optional(),
    ...sizes,
    opening,
  }),
  ContentErased: erased.extend({
    subject: id.optional(),
    turn: z.int(),
    isDescriptionErased: z.boolean(),
    restored: id.nullable(),
    compactions: z.int().min(0),
    occupancyAfter: tokens,
  }),
  SessionForked: z.object({
    ...ofSubjects,
    compactionId: id,
    from: z.object({ sessionId: id, revision: z.int().min(0) }),
    summary: text.nullable(),
    summaryTokens: tokens,
    reinjected: reinjected.optional(),
    quotes: quotes.optional(),
    cut: cut.nullable(),
    retention: z.array(retained),
    fileOperations,
    occupancyAfter: tokens,
    opening,
  }),
});

/** Parses a payload as an event of the requested kind; `undefined` for other types. */
export type ParseEvent<Evt extends StoredEvent> = (type: string, data: unknown) => Evt | undefined;

/** Returns a function that checks payloads by the schema of their type, on write and read. */
export const parserOf =
  <Evt extends StoredEvent>(schemas: Readonly<Record<Evt['type'], z.ZodType>>): ParseEvent<Evt> =>
  (type, data) => {
    const isKnown = (name: string): name is Evt['type'] => Object.hasOwn(schemas, name);
    // The schema has just held the payload to the type; brands exist in the types alone.
    return isKnown(type) && schemas[type].safeParse(data).success ? ({ type, data } as Evt) : undefined;
  };

export const parseSessionEvent = parserOf<SessionEvent>(SCHEMAS);
