/** Unicode's White_Space, which `\s` of JavaScript is not: it lacks U+0085 and has U+FEFF. */
const SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const BEFORE_LETTERS = String.raw`[^\r\n\p{L}\p{N}]?`;
const CAPITAL = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const SMALL = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const CONTRACTION = "(?:'(?:[sS\u017fdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE]))?";

/** The pattern of o200k_base. */
const WORD = new RegExp(
  [
    `${BEFORE_LETTERS}${CAPITAL}*${SMALL}+${CONTRACTION}`,
    `${BEFORE_LETTERS}${CAPITAL}+${SMALL}*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^${SPACE}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`[${SPACE}]*[\r\n]+`,
    `[${SPACE}]+(?![^${SPACE}])`,
    `[${SPACE}]+`,
  ].join('|'),
  'uy',
);

/** Returns the end of the word of o200k's pattern that starts at `start`, in any script. */
export const endOfAnyWord = (text: string, start: number): number => {
  WORD.lastIndex = start;
  WORD.test(text);
  return WORD.lastIndex;
};
