import type { SessionEvent, SessionEventType } from '@app/domain';
import { z } from 'zod';
import { REQUEST_SCHEMAS } from './request-schemas.js';

const tokens = z.int().min(0);
const id = z.string().min(1);
const text = z.string();
const object = z.record(z.string(), z.json());
const usage = z.object({
  inputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  outputTokens: tokens,
});
const message = z.object({
  id,
  role: z.enum(['user', 'assistant', 'system']),
  blocks: z.array(object),
  model: text.optional(),
  createdAt: text.optional(),
});
const limits = z.object({
  window: tokens,
  windowSource: z.enum(['given', 'model', 'assumed']),
  maxOutput: tokens.optional(),
  inputLimit: tokens.optional(),
});
const pin = z.object({
  pinId: id,
  kind: z.enum(['constraint', 'mandate', 'children', 'plan']),
  text,
  tokens,
});
const profile = z.looseObject({ name: id, mode: z.enum(['automatic', 'authorized']), stages: z.array(id) });
const trigger = z.enum([
  'threshold',
  'explicit',
  'overflow',
  'requested-mid-turn',
  'idle',
  'model-switched',
  'policy',
]);
const call = z.object({ messageId: id, callId: text });
const dropped = call.extend({ freed: tokens });
const cut = z.object({ messageId: id, revision: z.int().min(0) });
const summarizer = z.object({
  name: id,
  model: text.optional(),
  promptVersion: text,
  deterministic: z.boolean(),
});
const error = z.object({ rule: id, detail: text });
const crossing = z.object({ occupancy: tokens, threshold: tokens, window: tokens, turn: z.int() });
const entry = z.object({
  message,
  revision: z.int().min(0),
  tokens,
  blockTokens: z.array(tokens),
  turn: z.int(),
  position: z.int(),
});
const opened = z.object({
  tenantId: id,
  sessionId: id,
  model: text,
  limits,
  profile,
  systemPrompt: text,
  tools: z.array(object),
  fixedTokens: tokens,
  parentSessionId: id.optional(),
  labels: z.record(z.string(), text),
});
const opening = z.object({
  opened,
  model: text,
  limits,
  profile,
  leadingSystem: z.array(entry),
  carried: entry.optional(),
  messagesBefore: z.int(),
  turnAtCut: z.int(),
  abandonedCalls: z.array(call),
  droppedOutputs: z.array(dropped),
  turnCompleted: z.int(),
  pins: z.array(pin).optional(),
  contributed: tokens.optional(),
  boundElsewhere: z.array(id).optional(),
  compactions: z.int(),
});
const retained = z.looseObject({ turn: z.int(), from: id, to: id, messages: z.int(), tokens, rule: id });
const fileOperations = z.object({ read: z.array(text), modified: z.array(text) });
const fidelity = z.object({
  score: z.number().min(0).max(1),
  keys: z.int(),
  missing: z.array(z.object({ key: text, messageId: id })),
  directives: z.object({ kept: z.int(), of: z.int() }),
});
const attempt = z.object({ compactionId: id, attempt: z.int() });
const reason = z.looseObject({
  rule: z.enum(['nothing-to-drop', 'floor-too-high', 'no-gain', 'protection-strict']),
});

/** The shape of every event that may be stored. Members that are not named here pass unread: a later version adds some. */
const SCHEMAS = {
  SessionOpened: opened,
  MessageAppended: z.object({ message, tokens, blockTokens: z.array(tokens), estimator: id }),
  UsageReported: z.object({
    usage,
    model: text,
    outcome: z.enum(['completed', 'aborted', 'failed']),
    source: z.enum(['reported', 'transcript']),
    messageId: id.optional(),
    epoch: z.int().optional(),
    shortened: z.boolean().optional(),
  }),
  SettingsChanged: z.object({ profile, limits, changed: z.array(id) }),
  ModelSwitched: z.object({ from: text, model: text, limits, occupancyAfter: tokens }),
  SessionClosed: z.object({ reason: text }),
  ContentPinned: z.object({ pin, occupancyAfter: tokens }),
  ContentUnpinned: z.object({ pinId: id, occupancyAfter: tokens }),
  TurnCompleted: z.object({ turn: z.int(), stopReason: text }),
  ToolCallAbandoned: z.object({
    calls: z.array(call),
    reason: z.enum(['unanswered-after-turn', 'model-went-on']),
  }),
  ...REQUEST_SCHEMAS,
  CompactionWarning: crossing,
  CompactionRequired: crossing,
  CompactionThresholdHit: crossing,
  CompactionRequested: z.object({
    compactionId: id,
    trigger,
    profile,
    instructions: text.optional(),
    occupancy: tokens,
    turn: z.int(),
    contributed: tokens.optional(),
  }),
  CompactionSkipped: z.object({ compactionId: id.optional(), trigger, reason }),
  CompactionStarted: attempt.extend({
    worker: id,
    summarizer,
    stages: z.array(id),
    turn: z.int(),
    cut,
    splitTurn: z.boolean(),
    coveredMessages: z.int(),
    coveredTokens: tokens,
    tokensBefore: tokens,
    target: tokens,
    inputHash: text,
  }),
  CompactionAttemptFailed: attempt.extend({ error, usage: usage.optional() }),
  CompactionSummaryOversize: attempt.extend({ tokens, atMost: tokens }),
  CompactionNoProgress: attempt.extend({ before: tokens, after: tokens, atMost: tokens }),
  CompactionCompleted: attempt.extend({
    worker: id,
    trigger,
    turn: z.int(),
    summary: text.nullable(),
    summaryTokens: tokens,
    cut,
    splitTurn: z.boolean(),
    covered: z.object({ from: id, to: id, messages: z.int() }).nullable(),
    tokensBefore: tokens,
    tokensAfter: tokens,
    target: tokens,
    targetRaised: z.object({ from: tokens, because: text }).optional(),
    retention: z.array(retained),
    droppedOutputs: z.array(dropped),
    fileOperations,
    summarizer,
    usage: usage.optional(),
    fidelity: fidelity.optional(),
    durationMs: z.number().min(0),
    opening,
  }),
  CompactionFailed: z.object({ compactionId: id, attempts: z.int(), error }),
  CompactionApplied: z.object({
    compactionId: id,
    occupancyBefore: tokens,
    occupancyAfter: tokens,
    warningCleared: z.boolean(),
  }),
  CompactionDoubleRan: attempt.extend({ worker: id, usage: usage.optional() }),
  CompactionCancelled: z.object({
    compactionId: id,
    by: z.enum(['reset', 'revert', 'close', 'caller', 'hook']),
    reason: text,
  }),
  CompactionCircuitOpened: z.object({ failures: z.int(), messages: z.int(), openedAt: text.optional() }),
  CompactionCircuitClosed: z.object({
    because: z.enum(['new-material', 'explicit-request', 'cool-down']),
    messages: z.int(),
  }),
  CompactionReverted: z.object({
    compactionId: id,
    restored: id.nullable(),
    reason: text,
    occupancyBefore: tokens,
    occupancyAfter: tokens,
    messagesBefore: z.int(),
    carried: id.nullable(),
    compactions: z.int(),
  }),
  SessionReset: z.object({
    compactionId: id,
    reason: text,
    turn: z.int(),
    clearedMessages: z.int(),
    tokensBefore: tokens,
    tokensAfter: tokens,
    opening,
  }),
  SessionForked: z.object({
    compactionId: id,
    from: z.object({ sessionId: id, revision: z.int().min(0) }),
    summary: text.nullable(),
    summaryTokens: tokens,
    cut: cut.nullable(),
    retention: z.array(retained),
    fileOperations,
    occupancyAfter: tokens,
    opening,
  }),
} satisfies Record<SessionEventType, z.ZodType>;

/**
 * A payload as the event of its type; `undefined` where it is not one. Checked when written and when read, so that
 * nothing misshapen is stored and nothing foreign is believed.
 */
export const parseEvent = (type: string, data: unknown): SessionEvent | undefined => {
  if (!isKnown(type)) return undefined;
  const checked = SCHEMAS[type].safeParse(data);
  // The schema has just held the payload to the type; brands exist in the types alone.
  return checked.success ? ({ type, data } as SessionEvent) : undefined;
};

const isKnown = (type: string): type is SessionEventType => Object.hasOwn(SCHEMAS, type);
