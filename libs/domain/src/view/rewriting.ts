import { headAndTail, type MessageId, Tokens } from '@app/kernel';
import { defused } from '../message/defused.js';
import { type Block, isReasoning, isToolResult, resultText, type ToolResultBlock } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import { callKey, type OffloadedResult } from '../session/marks.js';
import type { OpenSession } from '../session/state.js';
import { pairingIn } from '../turns/cuts.js';
import {
  clearedResultText,
  placeholderTokens,
  recallCall,
  type WayBack,
  wayBackOf,
} from './recall/recall-tool.js';
import type { View } from './view.js';

/** The replacement of a result: its text, and the saved tokens. */
type Instead = {
  readonly text: (block: ToolResultBlock) => string;
  readonly saved: (tokens: number) => number;
};

/** Returns an entry by index, with omitted results and reasoning replaced. */
export const rewriting = (
  session: OpenSession,
  { cleared, muted }: View,
): ((entry: Entry, at: number) => Entry) => {
  const results = insteadOfResults(session, cleared);
  const mute = new Set([
    ...session.marks.droppedReasoning.map(({ messageId }) => messageId),
    ...muted.map(({ entry }) => entry.message.id),
  ]);
  return (entry, at) => {
    const { message, blockTokens } = entry;
    const isMute = mute.has(message.id);
    if (!isMute && !results.has(at)) return entry;
    const blocks: Block[] = [];
    const tokens: Tokens[] = [];
    let [place, saved] = [-1, 0];
    for (const [index, block] of message.blocks.entries()) {
      const size = blockTokens[index] ?? Tokens(0);
      if (isMute && isReasoning(block)) {
        saved += size;
        continue;
      }
      if (isToolResult(block)) place += 1;
      const instead = isToolResult(block) ? results.get(at)?.get(place) : undefined;
      const less = Math.min(size, instead?.saved(size) ?? 0);
      blocks.push(instead && isToolResult(block) ? { ...block, content: instead.text(block) } : block);
      tokens.push(Tokens(size - less));
      saved += less;
    }
    return {
      ...entry,
      message: { ...message, blocks },
      blockTokens: tokens,
      tokens: Tokens(Math.max(0, entry.tokens - saved)),
    };
  };
};

/** By the place of the message, and the result's place among the results there. */
const insteadOfResults = (
  session: OpenSession,
  cleared: View['cleared'],
): ReadonlyMap<number, ReadonlyMap<number, Instead>> => {
  const places = new Map<number, Map<number, Instead>>();
  const offloaded = new Map(session.marks.offloaded.map((one) => [callKey(one), one]));
  const gone = new Set(cleared.map(({ reference }) => callKey(reference)));
  if (offloaded.size === 0 && gone.size === 0) return places;
  const way = wayBackOf(session);
  for (const { id: callId, call, result } of pairingIn(session).calls) {
    const caller = session.entries[call.message];
    if (!result || !caller) continue;
    const key = callKey({ messageId: caller.message.id, callId });
    const stored = offloaded.get(key);
    const instead: Instead | undefined = gone.has(key)
      ? {
          text: () => clearedResultText(callId, way),
          saved: (tokens) => Math.max(0, tokens - placeholderTokens(session)),
        }
      : stored && {
          text: (block) => offloadedText(block, stored, session.profile.previewTokens, way),
          saved: () => stored.freed,
        };
    if (!instead) continue;
    const there = places.get(result.message) ?? new Map<number, Instead>();
    places.set(result.message, there.set(result.block, instead));
  }
  return places;
};

const whereTo = (messageId: MessageId, callId: string, way: WayBack): string =>
  way === 'tool'
    ? recallCall({ call: callId })
    : `GET /v1/sessions/{session}/messages/${encodeURIComponent(messageId)}?call=${encodeURIComponent(callId)}`;

const CLOSING = '</stored-result>';

/** Returns the replacement of an offloaded result: its location and a preview. */
const offloadedText = (
  block: ToolResultBlock,
  { messageId, callId, tokens }: OffloadedResult,
  previewTokens: number,
  way: WayBack,
): string => {
  const text = resultText(block);
  const preview = headAndTail(text, Math.floor((text.length * previewTokens) / Math.max(1, tokens)));
  return [
    `<stored-result message="${defused(messageId)}" call="${defused(callId)}" tokens="${tokens}">`,
    defused(
      `This result was too large and is stored aside, whole: ${whereTo(messageId, callId, way)}. Its beginning and its end:\n${preview}`,
    ),
    CLOSING,
  ].join('\n');
};
