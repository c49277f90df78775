import type { MessageStage, OutputGone, Provenance, ProvenanceLink, ReasoningPlace } from '@app/contract';
import {
  type Entry,
  type MessageStanding,
  type OpenSession,
  type PartRule,
  type PinKind,
  type ResultStanding,
  type Shortening,
  shorteningInForce,
  standingsInForce,
} from '@app/domain';
import { invariant, type MessageId, type Revision, type SessionId, type Tokens } from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen } from '../../sessions/session-ref.js';
import { type MessageHistory, type PivotTrace, readHistory } from './read-history.js';

/**
 * Returns the current place of a message: sent in full or in part, omitted, covered by a summary, or removed. `input` is
 * the ID of a message or a pin. Records nothing.
 */
export class TraceMessage extends QueryOnSession<Provenance, MessageId> {}

@HandlesQuery(TraceMessage)
export class TraceMessageHandler extends Handler<TraceMessage, 'sessions' | 'log'> {
  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, input: message }: TraceMessage): Promise<Provenance> {
    const { state, revision } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const history = await readHistory(this.parts.log, ref, message, revision);
    const { synthetic, erased } = history;
    const told = { ...(synthetic && { synthetic }), ...(erased && { erased }) };
    return { session: ref.session, message, revision, ...told, ...placeOf(session, message, history) };
  }
}

const placeOf = (session: OpenSession, message: MessageId, history: MessageHistory): MessagePlace => {
  const { appendedAt } = history;
  if (appendedAt === undefined) return placeOutside(session, message, history);
  const entry = [...session.leadingSystem, ...session.entries].find((one) => one.message.id === message);
  if (entry) return placeInContext(session, entry, history);
  if (history.isWithdrawn) return { status: 'withdrawn', appendedAt };
  const chain = chainOf(appendedAt, message, history.pivots, session.pivot?.compactionId);
  const status = chain.at(-1)?.action === 'cleared' ? 'cleared' : 'covered';
  return { status, appendedAt, chain, reasoning: reasoningBehind(message, history) };
};

const placeOutside = (session: OpenSession, name: string, { forkedFrom }: MessageHistory): MessagePlace => {
  const pin = session.pins.find(({ pinId }) => pinId === name);
  return pin
    ? { status: 'pinned', kind: pin.kind, tokens: pin.tokens }
    : { status: 'unknown', forkedFrom: forkedFrom ?? null };
};

/** Returns the part of a message's reasoning that its first summary has read. */
const reasoningBehind = (
  message: MessageId,
  { pivots, hasReasoning, isDisposable }: MessageHistory,
): ReasoningPlace => {
  if (!hasReasoning) return { rule: 'none', isDisposable };
  const isDropped = pivots.some(({ reasoningDropped }) => reasoningDropped.has(message));
  return { rule: isDropped ? 'dropped' : 'summarized', isDisposable };
};

const placeInContext = (
  session: OpenSession,
  entry: Entry,
  { pivots, isDisposable }: MessageHistory,
): MessagePlace => {
  const isSystem = session.leadingSystem.includes(entry);
  const shortening = shorteningInForce(session);
  const standing = isSystem
    ? WHOLE
    : standingsInForce(session, { shortening })(session.entries.indexOf(entry));
  const outputs = outputsOf(session, entry, { shortening }).map(({ messageId, callId, rule }): OutputGone => {
    const by = pivots.find(({ dropped }) => dropped.has(`${messageId} ${callId}`));
    return { callId, rule, droppedBy: by?.compactionId ?? null };
  });
  const { message: rule, reasoning } = standing;
  const isWhole = outputs.length === 0 && (reasoning === 'none' || reasoning === 'verbatim');
  return {
    status: rule !== 'verbatim' ? 'omitted' : isWhole ? 'in-full' : 'in-part',
    reason: isSystem ? 'system' : reasonOf(session, entry),
    appendedAt: entry.revision,
    turn: entry.turn,
    tokens: entry.tokens,
    rule,
    outputs,
    reasoning: { rule: reasoning, isDisposable },
    stages: [
      ...new Set([STAGE_OF[rule], ...outputs.map((one) => stageOf(one)), REASONING_STAGE[reasoning]]),
    ].filter((stage) => stage !== undefined),
  };
};

const WHOLE: MessageStanding = { message: 'verbatim', results: [], reasoning: 'none' };

/** The stage that causes each rule. */
const STAGE_OF: Partial<Record<PartRule, MessageStage>> = {
  snipped: 'snip',
  collapsed: 'collapse',
  dropped: 'drop-groups',
};
const OUTPUT_STAGE: Partial<Record<PartRule, MessageStage>> = {
  offloaded: 'offload-results',
  cleared: 'micro',
  pruned: 'prune',
  dropped: 'drop-tool-outputs',
  masked: 'mask-outputs',
  cut: 'newest-group',
  snipped: 'snip',
  collapsed: 'collapse',
};
const REASONING_STAGE: Partial<Record<PartRule, MessageStage>> = {
  dropped: 'drop-reasoning',
  omitted: 'compose',
};
const stageOf = ({ rule }: OutputGone): MessageStage | undefined => OUTPUT_STAGE[rule];

const reasonOf = (
  { pivot }: OpenSession,
  { revision }: Entry,
): 'not-compacted' | 'after-the-cut' | 'carried' => {
  if (!pivot) return 'not-compacted';
  return revision < (pivot.cut ?? pivot).revision ? 'carried' : 'after-the-cut';
};

/** Returns the reduced outputs of a message's calls, or in the message. */
const outputsOf = (
  session: OpenSession,
  { message }: Entry,
  options: { readonly shortening: Shortening | undefined },
): readonly ResultStanding[] => {
  const standingAt = standingsInForce(session, options);
  return session.entries.flatMap((answer, at) =>
    standingAt(at).results.filter(
      ({ messageId, rule }) =>
        rule !== 'verbatim' && (messageId === message.id || answer.message.id === message.id),
    ),
  );
};

/** Returns the compactions that cover the message and then each other's summaries, oldest first, up to a reset. */
const chainOf = (
  appendedAt: Revision,
  message: MessageId,
  pivots: readonly PivotTrace[],
  inForce: string | undefined,
): readonly ProvenanceLink[] => {
  const chain: ProvenanceLink[] = [];
  for (const pivot of pivots) {
    const action = deedOf(pivot, appendedAt, message, chain.length > 0);
    if (!action) continue;
    const { compactionId, revision, at, covered } = pivot;
    chain.push({ compactionId, action, revision, at, covered, isInForce: compactionId === inForce });
    if (action === 'cleared') break;
  }
  return chain;
};

const deedOf = (
  { type, cut, carried, covered }: PivotTrace,
  appendedAt: Revision,
  message: MessageId,
  isBehindSummary: boolean,
): ProvenanceLink['action'] | undefined => {
  if (isBehindSummary) return type === 'SessionReset' ? 'cleared' : covered ? 'folded' : 'carried-on';
  if (carried === message) return undefined;
  if (type === 'SessionReset') return 'cleared';
  return cut !== undefined && appendedAt < cut ? 'covered' : undefined;
};

export type MessagePlace =
  /**
   * In the context. `in-full`: requests contain all of it; `in-part`: its outputs or reasoning are reduced; `omitted`: requests
   * contain nothing of it, or a placeholder.
   */
  | {
      readonly status: 'in-full' | 'in-part' | 'omitted';
      /** Why no compaction covers it. */
      readonly reason: 'not-compacted' | 'after-the-cut' | 'carried' | 'system';
      readonly appendedAt: Revision;
      readonly turn: number;
      /** Counted tokens of the original. */
      readonly tokens: Tokens;
      /** `verbatim`, or why requests omit it: `snipped`, `collapsed`, or `dropped` by the newest ladder rung. */
      readonly rule: MessageStanding['message'];
      /** Reduced outputs of its calls, or in it. */
      readonly outputs: readonly OutputGone[];
      readonly reasoning: ReasoningPlace;
      /** Everything that removes a part of it. */
      readonly stages: readonly MessageStage[];
    }
  /** `covered`: a summary covers it; `cleared`: a reset removed it. Links are sorted oldest first. */
  | {
      readonly status: 'covered' | 'cleared';
      readonly appendedAt: Revision;
      readonly chain: readonly ProvenanceLink[];
      /** Whether the summarizer has read its reasoning. */
      readonly reasoning: ReasoningPlace;
    }
  /** A continuation message whose compaction was reverted. */
  | { readonly status: 'withdrawn'; readonly appendedAt: Revision }
  | { readonly status: 'pinned'; readonly kind: PinKind; readonly tokens: Tokens }
  | {
      readonly status: 'unknown';
      /** Source of the fork, whose log may have the message. */
      readonly forkedFrom: { readonly sessionId: SessionId; readonly revision: Revision } | null;
    };
