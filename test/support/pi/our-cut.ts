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

/** What this engine decides: the place of the first message that stays; `undefined` where nothing is to be covered. */
export type OurCut =
  | { readonly at: number; readonly isSplit: boolean; readonly files: FileLists }
  | undefined;

const HEADER = { type: 'session', version: 3, id: 'pi', timestamp: '2026-05-20T10:00:33.231Z', cwd: '/' };

/** The messages of pi's records, one for each. */
export const messagesOf = async (records: readonly JsonObject[]): Promise<readonly CountedMessage[]> => {
  const { messages } = await readTranscript(linesOf(HEADER, ...records), { chunkBytes: 65_536 });
  invariant(messages.length === records.length, 'every record is a message of its own');
  return messages.map(({ id, role, blocks }) => countedAsPi({ id: MessageId(id), role, blocks }));
};

/** The session after each of the messages, in an unlimited window: nothing but the tail decides on the cut. */
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

/** The smallest summary, so that no cut is refused because it would gain nothing. */
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

/** The places at which atomic groups begin; calls that the model has answered past are given up. */
export const groupStartsOf = ({ entries }: OpenSession): readonly number[] =>
  atomicGroups(entries.map(({ message }) => message)).map(({ start }) => start);

/** The place of the oldest call of the newest step that waits for its result; `undefined` where none does. */
export const openCallOf = ({ entries }: OpenSession): number | undefined => {
  const newest = entries.findLastIndex(({ message }) => message.role === 'assistant');
  const { calls } = pairToolCalls(entries.map(({ message }) => message));
  return calls.find(({ call, result }) => !result && call.message >= newest)?.call.message;
};
