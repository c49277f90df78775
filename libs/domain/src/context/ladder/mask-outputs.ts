import { Tokens } from '@app/kernel';
import { PLACEHOLDER_TOKENS, resultTokens } from '../../compaction/stages/drop-tool-outputs.js';
import { type PairedCall, toolCallsOf } from '../../message/index.js';
import type { DroppedOutput } from '../../session/facts.js';
import { isDropped } from '../../session/folding/opening.js';
import type { Footing, Rung } from './shortening.js';

/**
 * Rung 1 of 3: a line in the place of tool outputs, oldest first, until the request fits. Those of exempt tools go last;
 * those of the newest group, which no model may have seen yet, stay.
 */
export const maskOutputs = (footing: Footing, { messages }: Rung): Rung => {
  const { excess } = footing;
  const masked: DroppedOutput[] = [];
  let freed = 0;
  for (const output of maskable(footing)) {
    if (freed >= excess) break;
    masked.push(output);
    freed += output.freed;
  }
  return { masked, droppedGroups: 0, messages, freed };
};

const maskable = ({ session, layout, newest }: Footing): readonly DroppedOutput[] => {
  const older = layout.pairing.calls.filter(({ call }) => call.message < newest);
  const isExempt = ({ call }: PairedCall): boolean => {
    const message = session.entries[call.message]?.message;
    const name = message && toolCallsOf(message)[call.block]?.name;
    return name !== undefined && session.profile.exemptTools.includes(name);
  };
  return [...older.filter((call) => !isExempt(call)), ...older.filter(isExempt)].flatMap(
    ({ id: callId, call, result }): DroppedOutput[] => {
      const caller = session.entries[call.message];
      const answer = result && session.entries[result.message];
      if (!caller || !answer) return [];
      const reference = { messageId: caller.message.id, callId };
      const gained = resultTokens(answer, result.block) - PLACEHOLDER_TOKENS;
      return gained > 0 && !isDropped(session, reference) ? [{ ...reference, freed: Tokens(gained) }] : [];
    },
  );
};
