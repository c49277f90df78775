import type { Remedy, SizedMessage } from '../../session/events.js';

/** Command, route or header by which a caller applies each remedy. */
export type RemedyMeans = { readonly [Name in Remedy['remedy']]: string };

/** Means that are the same for every caller. */
const MEANS: RemedyMeans = {
  wait: 'wait for the compaction under way',
  compact: 'compact the session',
  reset: 'reset the session',
  'reduce-context': 'send less context beside the session',
  override: 'override for this turn',
  shorten: 'compose it with the ladder "on"',
  'truncate-message': 'compose it with the ladder "truncate"',
  'use-larger-model': 'switch to a larger model',
};

/** Remedies for people, with their effects in billed tokens; one line without breaks. */
export const remedyTexts = (remedies: readonly Remedy[], means: RemedyMeans = MEANS): string =>
  remedies.length === 0
    ? 'nothing would make it fit: what every request carries is too large'
    : remedies.map((remedy) => `${means[remedy.remedy]} (${effectOf(remedy)})`).join('; or ');

const effectOf = (remedy: Remedy): string => {
  switch (remedy.remedy) {
    case 'use-larger-model':
      return `a window of ${remedy.window} tokens at least`;
    case 'override':
      return `${remedy.billedAfter} billed tokens, and ${remedy.maxOutput} for the answer`;
    case 'truncate-message':
      return `shortens message ${remedy.messageId} of ${remedy.billedTokens} billed tokens: leaves ${remedy.billedAfter} billed tokens`;
    case 'wait':
      return remedy.billedAfter === undefined
        ? 'it has not begun yet'
        : `leaves at most ${remedy.billedAfter} billed tokens`;
    default:
      return `leaves at most ${remedy.billedAfter} billed tokens`;
  }
};

/** Names the largest message, for people. */
export const largestText = ({ messageId, billedTokens }: SizedMessage): string =>
  `its largest message is ${messageId} with ${billedTokens} billed tokens`;
