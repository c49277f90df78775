import type { JsonObject, MessageId, Tokens } from '@app/kernel';
import { type Message, textOf } from '../message/index.js';
import { maxOutputOf } from '../occupancy/answer-room.js';
import type { Entry } from '../session/entry.js';
import type { CallReference } from '../session/events.js';
import { mapGrown } from '../session/grow.js';
import type { OpenSession } from '../session/state.js';
import { framePins } from '../view/pinned.js';
import { carriesRecall, recallTool, type WayBack, wayBackOf } from '../view/recall/recall-tool.js';
import { type Edit, shownSession } from '../view/shown-session.js';
import { frameReinjected, frameSummary } from './frames/summary-frame.js';

/** The session after the pivot: the source of every request. */
export type Manifest = {
  readonly model: string;
  /** The length of the answer that the request asks for, in tokens. */
  readonly maxOutput: Tokens;
  /** The system prompt's parts, each as it was given. */
  readonly system: readonly string[];
  readonly tools: readonly JsonObject[];
  /** The pins in their frame, at the start of every request. */
  readonly pinned: string | undefined;
  /** The framed summary of the messages before the cut. */
  readonly record: string | undefined;
  /** A note that messages between the record and the rest are missing. */
  readonly gap: string | undefined;
  readonly messages: readonly Message[];
  /** The omitted content, stage by stage. */
  readonly edits: readonly Edit[];
  readonly abandonedCalls: readonly CallReference[];
  readonly droppedOutputs: readonly CallReference[];
  /** Means to read omitted content. */
  readonly wayBack: WayBack;
  /** Answers whose reasoning is bound to another request than any that is composed from this. */
  readonly unreplayableReasoning: readonly MessageId[];
  /** Whether content was omitted, so that reasoning after it no longer follows its original prefix. */
  readonly isAltered: boolean;
  /** Framed contributions, at the end of the request. */
  readonly contributions: readonly string[];
};

const messagesOf = mapGrown(({ message }: Entry) => message);

/** @param contributions the framed contributions of this one request. */
export const manifestOf = (session: OpenSession, contributions: readonly string[] = []): Manifest => {
  const { pivot } = session;
  const { session: shown, edits } = shownSession(session);
  return {
    model: session.model,
    maxOutput: maxOutputOf(session),
    system: [
      session.parts.systemPrompt,
      ...session.leadingSystem.map((entry) => textOf(entry.message)),
    ].filter((part) => part.trim() !== ''),
    tools: carriesRecall(session) ? [...session.parts.tools, recallTool] : session.parts.tools,
    pinned: framePins(session.pins),
    record:
      pivot?.summary == null
        ? undefined
        : [
            frameSummary(pivot.summary, pivot.compactionId, wayBackOf(session)),
            frameReinjected(pivot.reinjected),
          ]
            .filter((part) => part !== undefined)
            .join('\n\n'),
    gap: undefined,
    messages: messagesOf(shown.entries),
    edits,
    abandonedCalls: session.abandonedCalls,
    droppedOutputs: shown.droppedOutputs,
    wayBack: wayBackOf(session),
    unreplayableReasoning: session.unreplayableReasoning,
    isAltered: false,
    contributions,
  };
};

/** The text that replaces omitted messages in a request. */
export const GAP_TEXT =
  '[Earlier messages were left out of this request to make it fit. They are kept in the log of the session.]';
/** Upper bound of its tokens, for any tokenizer. */
export const GAP_TOKENS = 40;
