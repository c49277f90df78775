import type { JsonObject, Tokens } from '@app/kernel';
import { outputReserve } from '../budget/limits.js';
import { rawTokens } from '../budget/occupancy.js';
import { frameSummary } from '../compaction/summary-frame.js';
import { type Message, textOf } from '../message/index.js';
import type { CallReference } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import { framePins } from './pinned.js';
import { type Edit, shownMessages } from './view/shown-messages.js';
import { viewOf } from './view/view.js';

/** The session as it stands after the pivot: what every request of it is composed from. */
export type Manifest = {
  readonly model: string;
  readonly maxOutput: Tokens | number;
  /** The system prompt's parts, each as it was given. */
  readonly system: readonly string[];
  readonly tools: readonly JsonObject[];
  /** What is pinned, framed: every request begins with it. */
  readonly pinned: string | undefined;
  /** The framed summary of what stands before the cut. */
  readonly record: string | undefined;
  readonly messages: readonly Message[];
  /** What was left out of the messages, stage by stage. */
  readonly edits: readonly Edit[];
  readonly abandonedCalls: readonly CallReference[];
  readonly droppedOutputs: readonly CallReference[];
};

/** A model's longest answer where neither it nor a window is known. */
const OUTPUT_DEFAULT = 8_192;

export const manifestOf = (session: OpenSession): Manifest => {
  const { pivot } = session;
  const shown = shownMessages(session, viewOf(session, rawTokens(session)));
  return {
    model: session.model,
    maxOutput: outputReserve(session.limits, session.profile) || session.limits.maxOutput || OUTPUT_DEFAULT,
    system: [
      session.opened.systemPrompt,
      ...session.leadingSystem.map((entry) => textOf(entry.message)),
    ].filter((part) => part.trim() !== ''),
    tools: session.opened.tools,
    pinned: framePins(session.pins),
    record: pivot?.summary == null ? undefined : frameSummary(pivot.summary, pivot.compactionId),
    ...shown,
    abandonedCalls: session.abandonedCalls,
    droppedOutputs: session.droppedOutputs,
  };
};
