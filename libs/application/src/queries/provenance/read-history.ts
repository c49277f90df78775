import {
  continuationOf,
  type EventData,
  hasReasoning,
  isPivotEvent,
  type Message,
  type PivotEvent,
} from '@app/domain';
import type { CompactionId, IsoTime, MessageId, Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

/** The effects of a pivot on messages, without its opening state. */
export type PivotTrace = {
  readonly type: PivotEvent['type'];
  readonly compactionId: CompactionId;
  readonly revision: Revision;
  readonly at: IsoTime;
  /** Revision of the first retained message; `undefined` if none was retained. */
  readonly cut: Revision | undefined;
  readonly carried: MessageId | undefined;
  readonly covered: { readonly from: MessageId; readonly to: MessageId; readonly messages: number } | null;
  /** Calls whose outputs it dropped, as `message call`. */
  readonly dropped: ReadonlySet<string>;
  /** Covered messages whose reasoning the summarizer did not read. */
  readonly reasoningDropped: ReadonlySet<MessageId>;
};

/** History of a message. */
export type MessageHistory = {
  /** `undefined` if the session has no such message. */
  readonly appendedAt: Revision | undefined;
  readonly synthetic?: Message['synthetic'];
  readonly erased?: Message['erased'];
  readonly hasReasoning: boolean;
  readonly isDisposable: boolean;
  /** Whether it was withdrawn with a reverted compaction. */
  readonly isWithdrawn: boolean;
  /** Pivots that were not reverted, oldest first. */
  readonly pivots: readonly PivotTrace[];
  readonly forkedFrom: EventData<'SessionForked'>['from'] | undefined;
};

/** Reads a session backwards from `revision` to a message; holds only its pivots in memory. */
export const readHistory = async (
  log: EventLog,
  ref: SessionRef,
  message: MessageId,
  revision: Revision,
): Promise<MessageHistory> => {
  const reverted = new Set<CompactionId>();
  const newestFirst: PivotTrace[] = [];
  let forkedFrom: EventData<'SessionForked'>['from'] | undefined;
  for await (const recorded of log.readBackwards(streamOf(ref), { from: revision })) {
    const { event } = recorded;
    if (event.type === 'CompactionReverted') reverted.add(event.data.compactionId);
    if (event.type === 'SessionForked') forkedFrom = event.data.from;
    if (isPivotEvent(event) && !reverted.has(event.data.compactionId))
      newestFirst.push(traceOf(event, recorded.revision, recorded.recordedAt));
    if (event.type === 'MessageAppended' && event.data.message.id === message) {
      const { synthetic, erased, reasoning } = event.data.message;
      return {
        appendedAt: recorded.revision,
        ...(synthetic && { synthetic }),
        ...(erased && { erased }),
        hasReasoning: hasReasoning(event.data.message),
        isDisposable: reasoning === 'disposable',
        isWithdrawn: [...reverted].some((id) => continuationOf(id).id === message),
        pivots: newestFirst.reverse(),
        forkedFrom,
      };
    }
  }
  const known = { hasReasoning: false, isDisposable: false, isWithdrawn: false };
  return { appendedAt: undefined, ...known, pivots: newestFirst.reverse(), forkedFrom };
};

const traceOf = (event: PivotEvent, revision: Revision, at: IsoTime): PivotTrace => {
  const { type, data } = event;
  const common = {
    type,
    compactionId: data.compactionId,
    revision,
    at,
    carried: data.opening.carried?.message.id,
  };
  if (event.type !== 'CompactionCompleted') {
    const cut = event.type === 'SessionForked' ? event.data.cut?.revision : undefined;
    return { ...common, cut, covered: null, dropped: new Set(), reasoningDropped: new Set() };
  }
  const { cut, covered, droppedOutputs, reasoningDropped = [] } = event.data;
  const dropped = new Set(droppedOutputs.map(({ messageId, callId }) => `${messageId} ${callId}`));
  // A pivot without retained messages cuts at its own revision.
  const gone = { dropped, reasoningDropped: new Set(reasoningDropped) };
  return { ...common, cut: cut?.revision ?? revision, covered, ...gone };
};
