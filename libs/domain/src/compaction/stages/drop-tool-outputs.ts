import { Tokens } from '@app/kernel';
import type { Pairing } from '../../message/index.js';
import type { Profile } from '../../profiles/profile.js';
import type { DroppedOutput } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { isToolAmong } from '../../turns/exempt-tools.js';
import { visibleResults } from '../../turns/visible-results.js';
import { placeholderTokens } from '../../view/recall/placeholders.js';

/**
 * Returns all outputs before index `protectedFrom` that are longer than their replacement, except those of exempt
 * tools. A permanent mark: call and result stay paired.
 */
export const dropToolOutputs = (
  session: OpenSession,
  pairing: Pairing,
  { protectedFrom, exemptTools }: { readonly protectedFrom: number } & Pick<Profile, 'exemptTools'>,
): readonly DroppedOutput[] => {
  const isExempt = isToolAmong(exemptTools);
  return visibleResults(session, pairing).flatMap(
    ({ reference, tool, at, tokens, isDropped, isCollapsed }): DroppedOutput[] => {
      const freed = tokens - placeholderTokens(session);
      const stays = isDropped || isCollapsed || isExempt(tool) || at >= protectedFrom;
      return stays || freed <= 0 ? [] : [{ ...reference, freed: Tokens(freed) }];
    },
  );
};
