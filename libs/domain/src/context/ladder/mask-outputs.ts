import { Tokens } from '@app/kernel';
import type { DroppedOutput } from '../../session/facts.js';
import { isToolAmong, type VisibleResult, visibleResults } from '../../turns/visible-results.js';
import { placeholderTokens } from '../../view/recall/recall-tool.js';
import type { Footing, Rung } from './shortening.js';

/**
 * Rung 1 of 4: replaces tool outputs by one line, oldest first, until the request fits. Outputs of exempt tools are
 * last; those of the newest group stay, because no model may have seen them.
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
  return { masked, droppedGroups: 0, messages, truncated: [], freed };
};

const maskable = ({ session, layout, newest }: Footing): readonly DroppedOutput[] => {
  const first = session.entries[newest];
  const older = visibleResults(session, layout.pairing).filter(
    ({ caller }) => first !== undefined && caller.position < first.position,
  );
  const isExemptTool = isToolAmong(session.profile.exemptTools);
  const isExempt = ({ tool }: VisibleResult): boolean => isExemptTool(tool);
  return [...older.filter((result) => !isExempt(result)), ...older.filter(isExempt)].flatMap(
    ({ reference, tokens, isDropped }): DroppedOutput[] => {
      const gained = tokens - placeholderTokens(session);
      return gained > 0 && !isDropped ? [{ ...reference, freed: Tokens(gained) }] : [];
    },
  );
};
