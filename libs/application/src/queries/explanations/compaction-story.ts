import type { Standing } from '@app/contract';
import {
  isPivotEvent,
  pivotFactsOf,
  type SessionEvent,
  type SessionEventType,
  sessionNotFound,
} from '@app/domain';
import { AppError, type CompactionId, type IsoTime, type Revision } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { compactionsBackwards } from '../../sessions/readers/moment.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

type DataOf = { readonly [Some in SessionEvent as Some['type']]: Some['data'] };
/** An event of a compaction with its revision and time. */
export type StoryEvent<Type extends SessionEventType> = Moment & {
  readonly actor: Recorded['context']['actor'];
  readonly data: DataOf[Type];
};

/** All events of one compaction, oldest first, and whether its result is in force. */
export type CompactionStory = { readonly events: readonly Recorded[]; readonly standing: Standing };

/** Returns the revision of the first event about this event's compaction; `undefined` if the event does not tell. */
const beginningOf = ({ event, revision }: Recorded): Revision | undefined => {
  switch (event.type) {
    case 'CompactionRequested':
    case 'CompactionDeferred':
      return event.data.deferredAt ?? revision;
    case 'SessionReset':
    case 'SessionForked':
      return revision;
    default:
      return undefined;
  }
};

/**
 * Reads a session backwards to the start of one of its compactions; holds only events about it in memory.
 *
 * @throws {AppError} `session-not-found`, `compaction-not-found`.
 */
export const readStory = async (
  log: EventLog,
  ref: SessionRef,
  compactionId: CompactionId,
): Promise<CompactionStory> => {
  const newestFirst: Recorded[] = [];
  const reverted = new Set<CompactionId>();
  let standing: Standing = { is: 'in-force' };
  // An erasure brought it back: compactions between the two are in force no longer.
  let isRestored = false;
  let isKnown = false;
  let beginning: Revision | undefined;
  for await (const recorded of compactionsBackwards(log, streamOf(ref))) {
    isKnown = true;
    const { event, revision, recordedAt: at } = recorded;
    if (event.type === 'CompactionReverted') reverted.add(event.data.compactionId);
    if (isAbout(event, compactionId)) {
      newestFirst.push(recorded);
      if (event.type === 'CompactionReverted') {
        const { reason, restored } = event.data;
        standing = { is: 'reverted', reason, restored, revision, at };
      }
      beginning ??= beginningOf(recorded);
      if (revision === beginning) return { events: newestFirst.reverse(), standing };
    } else if (event.type === 'ContentErased' && !isCompleted(newestFirst)) {
      const { erasure, restored } = event.data;
      isRestored = restored === compactionId;
      if (!isRestored) standing = { is: 'erased', erasure, restored, revision, at };
    } else if (
      isPivotEvent(event) &&
      !isRestored &&
      standing.is !== 'reverted' &&
      !isCompleted(newestFirst)
    ) {
      // The first later compaction replaced it; reverted ones replace none.
      if (!reverted.has(event.data.compactionId))
        standing = { is: 'superseded', by: event.data.compactionId, kind: pivotFactsOf(event).kind };
    }
  }
  throw notFound(ref, compactionId, isKnown);
};

/** Returns the events of one type, oldest first. */
export const eventsOf = <Type extends SessionEventType>(
  { events }: CompactionStory,
  type: Type,
): readonly StoryEvent<Type>[] =>
  events.flatMap(({ event, revision, recordedAt: at, context: { actor } }) =>
    isOf(event, type) ? [{ revision, at, actor, data: event.data }] : [],
  );

const isOf = <Type extends SessionEventType>(
  event: SessionEvent,
  type: Type,
): event is SessionEvent & { readonly type: Type; readonly data: DataOf[Type] } => event.type === type;

const isAbout = ({ data }: SessionEvent, compactionId: CompactionId): boolean =>
  'compactionId' in data && data.compactionId === compactionId;

const isCompleted = (events: readonly Recorded[]): boolean => events.some(({ event }) => isPivotEvent(event));

const notFound = ({ session }: SessionRef, compactionId: CompactionId, isKnown: boolean): AppError =>
  isKnown
    ? new AppError(
        'compaction-not-found',
        `session "${session}" has no compaction "${compactionId}": \`palimpsest audit --session ${session}\` lists the recorded events`,
      )
    : sessionNotFound(session);

/** Revision and time of an event. */
export type Moment = { readonly revision: Revision; readonly at: IsoTime };
