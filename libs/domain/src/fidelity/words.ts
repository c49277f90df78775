const STOP = new Set(
  (
    'the and for are but not you all any can had her was one our out has him his how its may new now old see two ' +
    'way who did get let put say she too use that this with have from they will would there their what about ' +
    'which when make just into your some could them than then only come over also back after even because these'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}_]{3,40}/gu;

/** The words of `text` that carry meaning, in lower case. */
export const contentWords = (text: string): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (!STOP.has(lower)) words.add(lower);
  }
  return words;
};

/** Keywords of programming languages and common words: they do not describe a name. */
const SAYS_LITTLE = new Set(
  'const return function string number null true false file line like time know take look think want give most'.split(
    ' ',
  ),
);

export const isPlainWord = (token: string): boolean => {
  if (token.length < 3 || !PLAIN.test(token)) return false;
  const lower = token.toLowerCase();
  return !STOP.has(lower) && !SAYS_LITTLE.has(lower);
};
const PLAIN = /^\p{L}\p{Ll}+$|^\p{Lo}+$/u;

/** Returns the share of the words of `needle` in `hay`, 0 to 1. */
export const overlap = (needle: ReadonlySet<string>, hay: ReadonlySet<string>): number => {
  if (needle.size === 0) return 0;
  let shared = 0;
  for (const word of needle) if (hay.has(word)) shared += 1;
  return shared / needle.size;
};
