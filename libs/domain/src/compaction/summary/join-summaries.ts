/** Heading of the summary of the turn that the cut splits. */
const TURN_UNDER_WAY = '## The turn under way';
const HEADING = /^(#{1,5})(?=\s)/gm;

/**
 * Returns one summary from those of the history and of the beginning of the split turn. The sections of the second
 * are one level deeper, under their own heading, because they are newer.
 */
export const joinSummaries = (history: string, turnPrefix: string): string =>
  `${history.trim()}\n\n${TURN_UNDER_WAY}\n\n${turnPrefix.trim().replace(HEADING, '$1#')}`;
