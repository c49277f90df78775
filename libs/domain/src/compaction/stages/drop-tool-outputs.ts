import { Tokens } from '@app/kernel';
import type { Pairing } from '../../message/index.js';
import type { DroppedOutput } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import type { Profile } from '../profile.js';
import { isToolAmong } from './exempt-tools.js';
import { visibleResults } from './visible-results.js';

/** What a request holds in place of a dropped output. */
export const DROPPED_OUTPUT_TEXT =
  "[The output of this tool call was dropped to save room. It is kept in the session's log.]";
/** What such a text costs, with room to spare for any tokenizer. */
export const PLACEHOLDER_TOKENS = 32;

/**
 * All outputs before the place `protectedFrom` that are longer than the text which takes their place, but for those of
 * exempt tools. A durable mark: call and result stay, paired.
 */
export const dropToolOutputs = (
  session: OpenSession,
  pairing: Pairing,
  { protectedFrom, exemptTools }: { readonly protectedFrom: number } & Pick<Profile, 'exemptTools'>,
): readonly DroppedOutput[] => {
  const isExempt = isToolAmong(exemptTools);
  return visibleResults(session, pairing).flatMap(
    ({ reference, tool, at, tokens, isDropped, isCollapsed }): DroppedOutput[] => {
      const freed = tokens - PLACEHOLDER_TOKENS;
      const stays = isDropped || isCollapsed || isExempt(tool) || at >= protectedFrom;
      return stays || freed <= 0 ? [] : [{ ...reference, freed: Tokens(freed) }];
    },
  );
};
