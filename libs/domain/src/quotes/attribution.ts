const SAYING =
  'said|says|saying|asked|asks|told|tells|wrote|writes|wanted|wants|requested|demanded|insisted|stated|replied|' +
  'answered|instructed|ordered|confirmed|approved|authori[sz]ed|allowed|permitted|agreed|words';
/** The user, a word of saying, and words in quotation marks, in this order and on one line. */
const ATTRIBUTION = new RegExp(
  `\\busers?\\b[^"“”\\n]{0,60}?\\b(?:${SAYING})\\b[^"“”\\n]{0,60}["“]([^"“”\\n]{2,2000})["”]`,
  'giu',
);

/** Returns words attributed to the user without a cited message: `The user said "…"`. */
export const attributedWords = (line: string): readonly string[] =>
  [...line.matchAll(ATTRIBUTION)].flatMap(([, words]) => (words === undefined ? [] : [words]));
