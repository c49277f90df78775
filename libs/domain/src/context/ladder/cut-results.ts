import { headAndTail, invariant } from '@app/kernel';
import { isToolResult, type Message, type ToolResultBlock } from '../../message/index.js';
import { isToolAmong, visibleResults } from '../../turns/visible-results.js';
import { resultWords } from '../wire/clean-blocks.js';
import type { Footing, Rung } from './shortening.js';

/** A result of which less than this is left would say nothing. */
const LEAST_TOKENS = 32;
/** Upper bound of the tokens of the line between head and tail. */
const SEAM_TOKENS = 20;
/** Head and tail may be denser than the whole: no more characters than this are believed to make a token. */
const CHARACTERS_PER_TOKEN = 2;

/** A result of the newest group, by its message's place and its own among the results there. */
type Result = {
  readonly message: number;
  readonly block: number;
  readonly tokens: number;
  readonly isExempt: boolean;
};

/**
 * Rung 3 of 4: only the newest group is left, and its largest results are cut to head and tail, all to the same size.
 * Results of exempt tools stay whole if the others suffice.
 */
export const cutResults = (footing: Footing, below: Rung): Rung => {
  const missing = footing.excess - below.freed;
  const results = resultsOf(footing);
  const others = results.filter(({ isExempt }) => !isExempt);
  const chosen = gainOf(others, LEAST_TOKENS) >= missing ? others : results;
  const size = sizeThatGains(chosen, missing);
  const cut = new Map(chosen.filter(({ tokens }) => tokens > size).map((one) => [keyOf(one), one]));
  const places = new Map(footing.session.entries.map(({ message }, at) => [message, at]));
  const messages = below.messages.map((message) => {
    const at = places.get(message) ?? Number.NaN;
    return cutIn(message, (block) => cut.get(keyOf({ message: at, block })), size);
  });
  return { ...below, messages, freed: below.freed + gainOf(chosen, size) };
};

const keyOf = ({ message, block }: Pick<Result, 'message' | 'block'>): string => `${message}/${block}`;

const resultsOf = ({ session, layout, newest }: Footing): readonly Result[] => {
  const first = session.entries[newest];
  const isExempt = isToolAmong(session.profile.exemptTools);
  return visibleResults(session, layout.pairing).flatMap(
    ({ caller, tool, at, place, tokens, isDropped }): Result[] => {
      if (isDropped || !first || caller.position < first.position) return [];
      return [{ message: at, block: place, tokens, isExempt: isExempt(tool) }];
    },
  );
};

const gainOf = (results: readonly Result[], size: number): number =>
  results.reduce((sum, { tokens }) => sum + Math.max(0, tokens - size), 0);

/**
 * Returns the largest size to which results can be cut to gain `missing` tokens; the minimum if that does not
 * suffice.
 */
const sizeThatGains = (results: readonly Result[], missing: number): number => {
  let least = LEAST_TOKENS;
  let most = results.reduce((max, { tokens }) => Math.max(max, tokens), LEAST_TOKENS);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (gainOf(results, middle) >= missing) least = middle;
    else most = middle - 1;
  }
  return least;
};

const cutIn = (message: Message, cutAt: (block: number) => Result | undefined, size: number): Message => {
  let block = -1;
  const blocks = message.blocks.map((one) => {
    if (!isToolResult(one)) return one;
    block += 1;
    const result = cutAt(block);
    return result ? shortened(one, result.tokens, size) : one;
  });
  return blocks.every((one, at) => one === message.blocks[at]) ? message : { ...message, blocks };
};

const shortened = (block: ToolResultBlock, tokens: number, size: number): ToolResultBlock => {
  invariant(tokens > 0, 'only results of some size are cut');
  const text = resultWords(block);
  const density = Math.min(CHARACTERS_PER_TOKEN, text.length / tokens);
  return { ...block, content: headAndTail(text, Math.floor((size - SEAM_TOKENS) * density)) };
};
