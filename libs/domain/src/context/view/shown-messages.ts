import type { StageName } from '../../compaction/profile.js';
import {
  type Block,
  isReasoning,
  isToolResult,
  type Message,
  pairToolCalls,
  type ToolResultBlock,
  textBlock,
} from '../../message/index.js';
import { callKey, type OffloadedResult } from '../../session/marks.js';
import { collapsedTurns, isSameCall, type OpenSession } from '../../session/state.js';
import { collapsedText } from './collapsed-text.js';
import { CLEARED_RESULT_TEXT } from './micro.js';
import { offloadedText } from './offloaded-text.js';
import { SNIPPED_TEXT } from './snip.js';
import type { View } from './view.js';

/** What can change messages on their way into a request. */
export type Edit = StageName | 'drop-reasoning';

export type Shown = {
  readonly messages: readonly Message[];
  /** What has changed them, in the order in which it was applied. */
  readonly edits: readonly Edit[];
};

/**
 * The messages of a session as requests carry them: with what its marks and its view leave out. Dropped outputs are
 * left to whoever pairs the calls with their results.
 */
export const shownMessages = (session: OpenSession, { snipped, cleared }: View): Shown => {
  const { marks, entries } = session;
  const whole = entries.map(({ message }) => message);
  const edits: readonly (Edit | false)[] = [
    marks.offloaded.length > 0 && 'offload-results',
    snipped.length > 0 && 'snip',
    cleared.length > 0 && 'micro',
    session.droppedOutputs.length > 0 && 'prune',
    marks.droppedReasoning.length > 0 && 'drop-reasoning',
    marks.collapsed.length > 0 && 'collapse',
  ];
  const applied = edits.filter((edit) => edit !== false);
  if (applied.length === 0) return { messages: whole, edits: [] };

  const blocksOf = rewriting(session, whole, cleared);
  const collapsed = collapsedTurns(session);
  const messages = entries.flatMap(({ message, turn }, at): Message[] => {
    const before = entries[at - 1];
    if (collapsed.has(turn)) {
      if (before?.turn === turn) return [];
      const members = entries.filter((entry) => entry.turn === turn).map((entry) => entry.message);
      // A fork counts its turns anew: the line goes on saying what it said.
      const named = marks.collapsed.find(({ messageId }) => messageId === message.id)?.turn ?? turn;
      return [inUsersPlace(message, collapsedText(named, members))];
    }
    const step = snipped.find(({ start, end }) => at >= start && at < end);
    if (!step) return [{ ...message, blocks: blocksOf(message, at) }];
    const follows = snipped.some(({ end }) => end === step.start);
    return at === step.start && !follows ? [inUsersPlace(message, SNIPPED_TEXT)] : [];
  });
  return { messages, edits: applied };
};

const inUsersPlace = ({ id }: Message, text: string): Message => ({
  id,
  role: 'user',
  blocks: [textBlock(text)],
});

/** The blocks of a message by its place, with what takes the place of results and reasoning that are left out. */
const rewriting = (
  { marks, profile, abandonedCalls }: OpenSession,
  messages: readonly Message[],
  cleared: View['cleared'],
): ((message: Message, at: number) => readonly Block[]) => {
  const offloaded = new Map(marks.offloaded.map((one) => [callKey(one), one]));
  const gone = new Set(cleared.map(({ reference }) => callKey(reference)));
  const mute = new Set(marks.droppedReasoning.map(({ messageId }) => messageId));
  const pairing = pairToolCalls(messages, ({ id }, callId) =>
    abandonedCalls.some((call) => isSameCall(call, { messageId: id, callId })),
  );
  const texts = new Map<string, (block: ToolResultBlock) => string>();
  for (const { id: callId, call, result } of pairing.calls) {
    const caller = messages[call.message];
    if (!result || !caller) continue;
    const key = callKey({ messageId: caller.id, callId });
    const stored: OffloadedResult | undefined = offloaded.get(key);
    const place = `${result.message} ${result.block}`;
    if (gone.has(key)) texts.set(place, () => CLEARED_RESULT_TEXT);
    else if (stored) texts.set(place, (block) => offloadedText(block, stored, profile.previewTokens));
  }
  return (message, at) => {
    let place = -1;
    return message.blocks.flatMap((block): Block[] => {
      if (isReasoning(block)) return mute.has(message.id) ? [] : [block];
      if (!isToolResult(block)) return [block];
      place += 1;
      const text = texts.get(`${at} ${place}`);
      return [text ? { ...block, content: text(block) } : block];
    });
  };
};
