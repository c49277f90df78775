/** Unicode's White_Space, which `\s` of JavaScript is not: it lacks U+0085 and has U+FEFF. */
const ANY_SPACE = String.raw`\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
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
    String.raw` ?[^${ANY_SPACE}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`[${ANY_SPACE}]*[\r\n]+`,
    `[${ANY_SPACE}]+(?![^${ANY_SPACE}])`,
    `[${ANY_SPACE}]+`,
  ].join('|'),
  'uy',
);

// Character classes of a vocabulary's pattern among the first 128 code points.
const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;
const LINE_END = 4;
const SPACE = 5;
const SYMBOL = 6;
const BEYOND = 0;
const END = 7;

const ASCII = 128;
/** Kind of every code unit: a read beyond the end of an array takes many times as long. */
const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, code) => {
  if (code >= ASCII) return BEYOND;
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[a-z]/.test(character)) return LOWER;
  if (/\d/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return LINE_END;
  return /\s/.test(character) ? SPACE : SYMBOL;
});
const kindAt = (text: string, at: number): number =>
  at < text.length ? (kinds[text.charCodeAt(at)] ?? BEYOND) : END;
const isLetter = (kind: number): boolean => kind === UPPER || kind === LOWER;
const BLANK = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;

/** Returns the end of the word of o200k's pattern that starts at `start`. Independent of the text before `start`. */
export const endOfWord = (text: string, start: number): number => {
  const end = endOf(text, start);
  if (kindAt(text, end) !== BEYOND) return end;
  // Characters outside ASCII affect it.
  WORD.lastIndex = start;
  WORD.test(text);
  return WORD.lastIndex;
};

const endOf = (text: string, start: number): number => {
  const kind = kindAt(text, start);
  if (isLetter(kind)) return endOfLetters(text, start);
  if (kind === DIGIT) return endOfDigits(text, start);
  if (kind === BEYOND) return start;
  const next = kindAt(text, start + 1);
  // One character of any other kind may precede letters, and a blank may precede symbols.
  if (kind !== LINE_END && isLetter(next)) return endOfLetters(text, start + 1);
  if (kind === SYMBOL) return endOfSymbols(text, start);
  if (next === SYMBOL && text.charCodeAt(start) === BLANK) return endOfSymbols(text, start + 1);
  return endOfSpaces(text, start);
};

/** Capitals, small letters, contractions. */
const endOfLetters = (text: string, start: number): number => {
  let at = start;
  while (kindAt(text, at) === UPPER) at += 1;
  while (kindAt(text, at) === LOWER) at += 1;
  if (at === text.length || text.charCodeAt(at) !== APOSTROPHE) return at;
  const first = text.charCodeAt(at + 1);
  if (first >= ASCII) return at + 1; // Some of these are letters that contract as well.
  const one = text.slice(at + 1, at + 2).toLowerCase();
  if (one === 's' || one === 't' || one === 'm' || one === 'd') return at + 2;
  const two = text.slice(at + 1, at + 3).toLowerCase();
  return two === 're' || two === 've' || two === 'll' ? at + 3 : at;
};

const endOfDigits = (text: string, start: number): number => {
  let at = start;
  while (at < start + 3 && kindAt(text, at) === DIGIT) at += 1;
  return at;
};

const endOfSymbols = (text: string, start: number): number => {
  let at = start;
  while (kindAt(text, at) === SYMBOL) at += 1;
  while (kindAt(text, at) === LINE_END || (at < text.length && text.charCodeAt(at) === SLASH)) at += 1;
  return at;
};

/** Up to the last line end; without one, all but the last, which may belong to the next word. */
const endOfSpaces = (text: string, start: number): number => {
  let at = start;
  let lineEnd = -1;
  for (; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if (kind === LINE_END) lineEnd = at + 1;
    else if (kind !== SPACE) break;
  }
  if (kindAt(text, at) === BEYOND) return at;
  if (lineEnd > 0) return lineEnd;
  return at === text.length || at === start + 1 ? at : at - 1;
};
