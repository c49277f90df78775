/** Control characters, marks that turn the direction of text, separators of lines, and tags that nobody sees. */
const HIDDEN = /\r\n|[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff\u{e0000}-\u{e007f}]/gu;
const KEPT: ReadonlySet<string> = new Set(['\n', '\t', '\r\n']);

/**
 * Returns `text` with an escape such as `\u001b` for everything that a terminal would obey instead of showing it; line ends and
 * tabs stay. In JSON the escapes stand for the same characters.
 */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (KEPT.has(hidden) ? hidden : escaped(hidden)));

/** The same of what has one line: its line ends are escaped, too, so that it cannot look like two. */
export const visibleLine = (text: string): string =>
  visible(text).replace(/[\r\n\t]/g, (hidden) => escaped(hidden));

const escaped = (hidden: string): string =>
  Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
