import { Tokens } from '@app/kernel';
import { isToolResult, type Pairing } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { DroppedOutput } from '../../session/events.js';
import { isDropped } from '../../session/folding/opening.js';
import type { OpenSession } from '../../session/state.js';

/** What a request holds in place of a dropped output. */
export const DROPPED_OUTPUT_TEXT =
  "[The output of this tool call was dropped to save room. It is kept in the session's log.]";
/** What that text costs, with room to spare for any tokenizer. */
export const PLACEHOLDER_TOKENS = 32;

/**
 * Stage 1 of 2 (drop-tool-outputs → summarize): the outputs of all calls made before turn `protectedFrom` that are
 * longer than the text which takes their place. A durable mark: call and result stay, paired.
 */
export const dropToolOutputs = (
  session: OpenSession,
  pairing: Pairing,
  protectedFrom: number,
): readonly DroppedOutput[] =>
  pairing.calls.flatMap(({ id: callId, call, result }) => {
    const caller = session.entries[call.message];
    const answer = result && session.entries[result.message];
    if (!caller || !answer || answer.turn >= protectedFrom) return [];
    const reference = { messageId: caller.message.id, callId };
    const freed = resultTokens(answer, result.block) - PLACEHOLDER_TOKENS;
    return freed > 0 && !isDropped(session, reference) ? [{ ...reference, freed: Tokens(freed) }] : [];
  });

/** Tokens of a message's result, by its place among the results: its id may stand there twice. */
export const resultTokens = ({ message, blockTokens }: Entry, result: number): number => {
  const places = message.blocks.flatMap((block, at) => (isToolResult(block) ? [at] : []));
  return blockTokens[places[result] ?? -1] ?? 0;
};
