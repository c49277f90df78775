import { z } from 'zod';
import { budgetState, forkSource, holdUntil, pin, sessionLimits } from './facts.js';
import { eventType } from './names.js';
import { profile } from './profiles.js';
import { ladderUse } from './requests.js';
import {
  actor,
  block,
  compactionId,
  erased,
  isoTime,
  jsonObject,
  messageId,
  revision,
  role,
  sessionId,
  tokens,
} from './scalars.js';
import type { Shape } from './shape.js';

export const sessionSummary = z
  .object({
    session: sessionId,
    title: z.string().nullable().describe('Metadata given by callers; `null` without any'),
    agent: z.string().nullable(),
    project: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    turns: z.int(),
    messages: z.int(),
    occupancy: z.int().describe('Billed tokens of the next request'),
    window: z.int(),
    state: budgetState,
    compactions: z.int(),
    revision: z.int(),
    profile: z.string(),
    model: z.string(),
    openedAt: isoTime,
    lastActivityAt: isoTime.describe('Time of its newest event'),
  })
  .meta({ id: 'SessionSummary', description: 'A session as of its newest projected event' });

export const sessionView = z
  .object({
    session: sessionId,
    revision,
    status: z.enum(['open', 'closed']),
    parent: z.string().nullable(),
    title: z.string().nullable(),
    agent: z.string().nullable().describe('Program that runs the session'),
    project: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    erased: erased.exactOptional().describe('The erasure of its title, project and labels'),
    lastErasure: erased.shape.erasure.nullable().describe('The newest erasure of content of the session'),
    settings: z.object({
      model: z.string(),
      profile: profile.describe('The policy for the session’s model'),
      limits: sessionLimits,
    }),
    budget: z.object({
      occupancy: tokens.describe('Billed tokens of the next request'),
      window: tokens,
      state: budgetState,
      ladder: ladderUse
        .nullable()
        .describe(
          'The uninterrupted series of newest requests that were shortened; `null` if the newest one was complete',
        ),
      duplicateCompaction: z.boolean().describe('Whether the provider compacts this session, too'),
    }),
    pins: z.array(pin),
    messages: z.int(),
    turn: z.int(),
    isInTurn: z.boolean(),
    compactions: z.int(),
    pivot: z.string().nullable().describe('Compaction, reset or fork at the start of the context'),
    compaction: z
      .object({ compactionId: z.string(), status: z.enum(['requested', 'deferred']) })
      .nullable()
      .describe('The requested, running or deferred compaction'),
    hold: z
      .object({ until: holdUntil, by: actor, reason: z.string(), turn: z.int() })
      .nullable()
      .describe('The hold that defers automatic compactions'),
  })
  .meta({ id: 'SessionView', description: 'The current state of a session without its content' });

export const exportedMessage = z
  .object({
    id: messageId,
    revision,
    role,
    synthetic: z.enum(['continuation', 'restated']).exactOptional(),
    content: z.array(block),
    erased: erased.exactOptional(),
  })
  .meta({ id: 'ExportedMessage', description: 'An exported message, always the original' });

export const loggedEvent = z
  .object({
    revision: z.int(),
    type: eventType,
    id: z.string(),
    recordedAt: z.string(),
    actor: z.string(),
    correlationId: z.string(),
    causationId: z.string().exactOptional(),
    data: jsonObject,
  })
  .meta({
    id: 'LoggedEvent',
    description:
      'An event of a session as it was recorded; `docs/guides/event-log.md` lists the types and their data',
  });

export const settings = z
  .object({
    profile,
    window: z.int(),
    model: z.string(),
    title: z.string().nullable(),
    project: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    changed: z.array(z.string()).describe('Names of the changed settings'),
  })
  .meta({ id: 'Settings' });

export const forked = z
  .object({
    session: sessionId,
    from: forkSource,
    messages: z.int(),
    occupancy: z.int(),
  })
  .meta({ id: 'Forked' });

export const released = z
  .object({
    released: z.boolean().describe('`false` if no hold was active'),
    compactionId: compactionId.exactOptional().describe('The deferred compaction that is requested now'),
  })
  .meta({ id: 'Released' });

export const opened = z
  .object({ session: sessionId, model: z.string(), limits: sessionLimits })
  .meta({ id: 'Opened' });

export const closed = z.object({ session: sessionId, closed: z.literal(true) }).meta({ id: 'Closed' });

export const deferred = z.object({ session: sessionId, until: holdUntil }).meta({ id: 'Deferred' });

export const resetDone = z
  .union([
    z.object({ session: sessionId, reset: z.literal(false).describe('The context was already empty') }),
    z.object({
      session: sessionId,
      reset: z.literal(true),
      compactionId: compactionId.describe('ID with which to revert the reset'),
      clearedMessages: z.int(),
      countedBefore: tokens.describe('Counted tokens of the next request'),
      countedAfter: tokens,
      billedBefore: tokens,
      billedAfter: tokens,
    }),
  ])
  .meta({ id: 'ResetDone' });

export type ResetDone = Shape<typeof resetDone>;
export type SessionView = Shape<typeof sessionView>;
export type ExportedMessage = Shape<typeof exportedMessage>;
export type Forked = Shape<typeof forked>;
export type Settings = Shape<typeof settings>;
