/** The part of a summary that tells of the turn which the cut splits. */
const TURN_UNDER_WAY = '## The turn under way';
const HEADING = /^(#{1,5})(?=\s)/gm;

/**
 * One summary out of that of the history and that of the beginning of the turn under way. The sections of the second
 * stand one level deeper, under a heading of their own: what they say is the newer of the two.
 */
export const joinSummaries = (history: string, turnPrefix: string): string =>
  `${history.trim()}\n\n${TURN_UNDER_WAY}\n\n${turnPrefix.trim().replace(HEADING, '$1#')}`;
