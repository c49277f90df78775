/** Control characters, bidirectional marks, line separators and invisible tags. */
const HIDDEN = /\r\n|[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff\u{e0000}-\u{e007f}]/gu;
const KEPT: ReadonlySet<string> = new Set(['\n', '\t', '\r\n']);

/**
 * Returns `text` with an escape such as `\u001b` for every character that controls a terminal; line ends and tabs stay.
 * In JSON the escapes are equivalent to the characters.
 */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (KEPT.has(hidden) ? hidden : escaped(hidden)));

/** Escapes as {@link visible} does, and also line ends, so that one line cannot look like two. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\r\n\t]/g, (hidden) => escaped(hidden));

const escaped = (hidden: string): string =>
  Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
