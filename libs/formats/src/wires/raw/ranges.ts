/** A part of a text: from `start` up to, without, `end`. */
export type Range = { readonly start: number; readonly end: number };

/**
 * Returns the ranges of the values of the outermost object's members, in valid JSON, by name; the last one of
 * duplicates.
 *
 * @param known the range of a long value, which is not searched for its end.
 */
export const memberRanges = (text: string, known?: Range): ReadonlyMap<string, Range> => {
  const members = new Map<string, Range>();
  let at = afterBlanks(text, 0) + 1; // Past the brace.
  for (;;) {
    at = afterBlanks(text, at);
    if (text[at] !== '"') return members; // The closing brace.
    const nameEnd = stringEnd(text, at);
    const name: unknown = JSON.parse(text.slice(at, nameEnd));
    const start = afterBlanks(text, afterBlanks(text, nameEnd) + 1);
    const end = known?.start === start ? known.end : valueEnd(text, start);
    members.set(String(name), { start, end });
    at = afterBlanks(text, end);
    if (text[at] !== ',') return members;
    at += 1;
  }
};

/** Returns the ranges of the elements of an array that starts at `start`, in valid JSON. */
export const elementRanges = (text: string, { start: begin }: Range): readonly Range[] => {
  const elements: Range[] = [];
  let at = afterBlanks(text, begin + 1);
  while (text[at] !== ']') {
    const end = valueEnd(text, at);
    elements.push({ start: at, end });
    at = afterBlanks(text, end);
    if (text[at] === ',') at = afterBlanks(text, at + 1);
  }
  return elements;
};

/** Returns the range of a list from the ranges of its elements; `undefined` without any. */
export const listRange = (text: string, elements: readonly Range[]): Range | undefined => {
  const [first, last] = [elements[0], elements.at(-1)];
  if (!first || !last) return undefined;
  return { start: text.lastIndexOf('[', first.start - 1), end: text.indexOf(']', last.end) + 1 };
};

const BLANK = /[\t\n\r ]/;
const afterBlanks = (text: string, from: number): number => {
  let at = from;
  while (BLANK.test(text[at] ?? '')) at += 1;
  return at;
};

/** Past the closing quote of the string that begins at `start`. */
export const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
};

const MARKS = /["{}[\]]/g;
const SCALAR_END = /[,\]}\t\n\r ]/g;
/** Past the value that begins at `start`. */
const valueEnd = (text: string, start: number): number => {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') {
    SCALAR_END.lastIndex = start;
    return SCALAR_END.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  let at = start;
  for (;;) {
    MARKS.lastIndex = at;
    const found = MARKS.exec(text);
    if (!found) return text.length;
    at = found.index;
    const mark = found[0];
    if (mark === '"') {
      at = stringEnd(text, at);
      continue;
    }
    depth += mark === '{' || mark === '[' ? 1 : -1;
    at += 1;
    if (depth === 0) return at;
  }
};
