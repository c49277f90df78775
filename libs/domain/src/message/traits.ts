import { isReasoning, isToolResult, isToolUse } from './blocks.js';
import type { Message } from './message.js';

/** Frequently checked properties of a message as bits, because reading the blocks is expensive in long sessions. */
export const TRAIT = {
  isSpoken: 1,
  startsTurn: 2,
  callsTools: 4,
  holdsResults: 8,
  hasReasoning: 16,
} as const;

/** The traits of a message together. */
export type Traits = number;

/** Calls belong to the assistant, results to the user; `isSpoken` holds for assistant messages. */
export const traitsOf = ({ role, blocks }: Message): Traits => {
  let traits = role === 'assistant' ? TRAIT.isSpoken : 0;
  for (const block of blocks) {
    if (isReasoning(block)) traits |= TRAIT.hasReasoning;
    if (role === 'assistant') traits |= isToolUse(block) ? TRAIT.callsTools : 0;
    else if (role === 'user') traits |= isToolResult(block) ? TRAIT.holdsResults : TRAIT.startsTurn;
  }
  return traits;
};

/** @param trait one of `TRAIT`. */
export const hasTrait = (traits: Traits | undefined, trait: Traits): boolean => ((traits ?? 0) & trait) !== 0;
