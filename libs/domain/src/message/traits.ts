import { isReasoning, isToolResult, isToolUse } from './blocks.js';
import type { Message } from './message.js';

/** What the rules ask of a message again and again, as bits: in a long session each look at its blocks costs. */
export const TRAIT = {
  isSpoken: 1,
  startsTurn: 2,
  callsTools: 4,
  holdsResults: 8,
  hasReasoning: 16,
} as const;

/** The traits of a message together. */
export type Traits = number;

/** Calls are the assistant's, results the user's, as everywhere; `isSpoken` is all that the assistant says. */
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
