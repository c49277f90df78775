import {
  type CallReference,
  collapsedTurns,
  type Entry,
  isSameCall,
  type OpenSession,
  pairToolCalls,
} from '@app/domain';
import type { MessageId, Revision } from '@app/kernel';
import { invariant } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import type { MessagePlace, MessageStage, OutputGone, Provenance, ProvenanceLink } from './provenance.js';
import { type MessageHistory, type PivotTrace, readHistory } from './read-history.js';

/** Where a message is now: in full in the context, behind a summary, or gone from it. It changes nothing. */
export class TraceMessage extends Query<Provenance> {
  constructor(
    readonly ref: SessionRef,
    /** Of a message, or the name of pinned content. */
    readonly message: MessageId,
  ) {
    super();
  }
}

@QueryHandler(TraceMessage)
export class TraceMessageHandler implements IQueryHandler<TraceMessage> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
  ) {}

  /** @throws {AppError} `session-not-found`. */
  async execute({ ref, message }: TraceMessage): Promise<Provenance> {
    const { state, revision } = await this.sessions.load(ref);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    const history = await readHistory(this.log, ref, message, revision);
    const { synthetic } = history;
    const place = placeOf(session, message, history);
    return { session: ref.session, message, revision, ...(synthetic && { synthetic }), ...place };
  }
}

const placeOf = (session: OpenSession, message: MessageId, history: MessageHistory): MessagePlace => {
  const { appendedAt } = history;
  if (appendedAt === undefined) return placeOutside(session, message, history);
  const entry = [...session.leadingSystem, ...session.entries].find((one) => one.message.id === message);
  if (entry) return placeInFull(session, entry, history);
  if (history.isWithdrawn) return { status: 'withdrawn', appendedAt };
  const chain = chainOf(appendedAt, message, history.pivots, session.pivot?.compactionId);
  return { status: chain.at(-1)?.did === 'cleared' ? 'cleared' : 'covered', appendedAt, chain };
};

const placeOutside = (session: OpenSession, name: string, { forkedFrom }: MessageHistory): MessagePlace => {
  const pin = session.pins.find(({ pinId }) => pinId === name);
  return pin
    ? { status: 'pinned', kind: pin.kind, tokens: pin.tokens }
    : { status: 'unknown', forkedFrom: forkedFrom ?? null };
};

const placeInFull = (session: OpenSession, entry: Entry, { pivots }: MessageHistory): MessagePlace => ({
  status: 'in-full',
  because: session.leadingSystem.includes(entry) ? 'system' : reasonOf(session, entry),
  appendedAt: entry.revision,
  turn: entry.turn,
  tokens: entry.tokens,
  stages: stagesOf(session, entry),
  droppedOutputs: outputsOf(session, session.droppedOutputs, entry).map(
    ({ messageId, callId }): OutputGone => {
      const by = pivots.find(({ dropped }) => dropped.has(`${messageId} ${callId}`));
      return { callId, droppedBy: by?.compactionId ?? null };
    },
  ),
});

const reasonOf = (
  { pivot }: OpenSession,
  { revision }: Entry,
): 'not-compacted' | 'after-the-cut' | 'carried' => {
  if (!pivot) return 'not-compacted';
  return revision < (pivot.cut ?? pivot).revision ? 'carried' : 'after-the-cut';
};

const stagesOf = (session: OpenSession, entry: Entry): readonly MessageStage[] => {
  const { marks } = session;
  const stages: readonly (MessageStage | false)[] = [
    outputsOf(session, marks.offloaded, entry).length > 0 && 'offload-results',
    marks.droppedReasoning.some(({ messageId }) => messageId === entry.message.id) && 'drop-reasoning',
    collapsedTurns(session).has(entry.turn) && 'collapse',
  ];
  return stages.filter((stage) => stage !== false);
};

/** The marked outputs that the message asked for, or that stand in it. */
const outputsOf = <Output extends CallReference>(
  { entries }: OpenSession,
  marked: readonly Output[],
  entry: Entry,
): readonly Output[] => {
  if (marked.length === 0) return [];
  const { calls } = pairToolCalls(entries.map(({ message }) => message));
  const ofEntry = calls.filter(
    ({ call, result }) => entries[call.message] === entry || (result && entries[result.message] === entry),
  );
  return marked.filter((output) =>
    ofEntry.some(({ id: callId, call }) => {
      const messageId = entries[call.message]?.message.id;
      return messageId !== undefined && isSameCall(output, { messageId, callId });
    }),
  );
};

/** What compacted the message, and then each other's summaries, oldest first; a reset ends it. */
const chainOf = (
  appendedAt: Revision,
  message: MessageId,
  pivots: readonly PivotTrace[],
  inForce: string | undefined,
): readonly ProvenanceLink[] => {
  const chain: ProvenanceLink[] = [];
  for (const pivot of pivots) {
    const did = deedOf(pivot, appendedAt, message, chain.length > 0);
    if (!did) continue;
    const { compactionId, revision, at, covered } = pivot;
    chain.push({ compactionId, did, revision, at, covered, isInForce: compactionId === inForce });
    if (did === 'cleared') break;
  }
  return chain;
};

const deedOf = (
  { type, cut, carried, covered }: PivotTrace,
  appendedAt: Revision,
  message: MessageId,
  isBehindSummary: boolean,
): ProvenanceLink['did'] | undefined => {
  if (isBehindSummary) return type === 'SessionReset' ? 'cleared' : covered ? 'folded' : 'carried-on';
  if (carried === message) return undefined;
  if (type === 'SessionReset') return 'cleared';
  return cut !== undefined && appendedAt < cut ? 'covered' : undefined;
};
