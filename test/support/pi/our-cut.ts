import {
  atomicGroups,
  type CountedMessage,
  type OpenSession,
  pairToolCalls,
  planNow,
  profileNamed,
  type SessionCommand,
} from '@app/domain';
import { invariant, type JsonObject, MessageId } from '@app/kernel';
import { linesOf, open, openOf, readTranscript, run, SESSION } from '@app/testing';
import { countedAsPi } from './estimate.js';
import type { FileLists } from './recording.js';

/** This engine's decision: the position of the first retained message; `undefined` if nothing is covered. */
export type OurCut =
  | { readonly at: number; readonly isSplit: boolean; readonly files: FileLists }
  | undefined;

const HEADER = { type: 'session', version: 3, id: 'pi', timestamp: '2026-05-20T10:00:33.231Z', cwd: '/' };

/** Returns the messages of pi's records, one per record. */
export const messagesOf = async (records: readonly JsonObject[]): Promise<readonly CountedMessage[]> => {
  const { messages } = await readTranscript(linesOf(HEADER, ...records), { chunkBytes: 65_536 });
  invariant(messages.length === records.length, 'every record is a message of its own');
  return messages.map(({ id, role, blocks }) => countedAsPi({ id: MessageId(id), role, blocks }));
};

/** Returns the session after each message, in an unlimited window: only the tail determines the cut. */
export const sessionsOf = (messages: readonly CountedMessage[]): readonly OpenSession[] => {
  const opened = run([open({ window: 0, fixedTokens: 0 })]);
  const appends = messages.map(
    (message): SessionCommand => ({
      type: 'AppendMessages',
      data: { sessionId: SESSION, messages: [message] },
    }),
  );
  return run(appends, opened)
    .carried.slice(1)
    .map(({ after }) => openOf({ carried: [], stream: [], states: [after] }));
};

/** The smallest summary, so that no cut is rejected for lack of progress. */
const policy = { ...profileNamed('tail'), maxSummaryTokens: 1, maxRemainingShare: 1 };

export const ourCut = (session: OpenSession, keepRecentTokens: number): OurCut => {
  const { plan } = planNow(session, { ...policy, keepRecentTokens });
  if (plan.kind === 'none') return undefined;
  return {
    at: session.entries.findIndex(({ message }) => message.id === plan.cut.messageId),
    isSplit: plan.splitPrefix.length > 0,
    files: {
      read: [...plan.fileOperations.read].sort(),
      modified: [...plan.fileOperations.modified].sort(),
    },
  };
};

/** Returns the starts of atomic groups; calls that the model has passed over are abandoned. */
export const groupStartsOf = ({ entries }: OpenSession): readonly number[] =>
  atomicGroups(entries.map(({ message }) => message)).map(({ start }) => start);

/** Returns the position of the oldest unanswered call of the newest step; `undefined` without one. */
export const openCallOf = ({ entries }: OpenSession): number | undefined => {
  const newest = entries.findLastIndex(({ message }) => message.role === 'assistant');
  const { calls } = pairToolCalls(entries.map(({ message }) => message));
  return calls.find(({ call, result }) => !result && call.message >= newest)?.call.message;
};
