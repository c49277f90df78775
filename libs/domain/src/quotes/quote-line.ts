/** A verbatim piece of a text; `cut` if the text continues. */
export type Segment = { readonly text: string; readonly cut: boolean };

/** Characters that a Markdown line cannot contain; a quote ends before them, so that no character is replaced. */
export const UNQUOTABLE = /[\p{Cc}\p{Surrogate}\u2028\u2029]+/u;
const QUOTE_LINE = /^> (".*) \[([\x21-\x7e]{1,200})\]$/;
const BETWEEN = /(?<="(?: …)?) (?=")/;

export const quoted = ({ text, cut }: Segment): string => (cut ? `"${text}" …` : `"${text}"`);

/**
 * Returns the only form in which a summary quotes the user: pieces of one message in one line, with the message's id.
 */
export const quoteLine = (quotes: readonly string[], id: string): string => `> ${quotes.join(' ')} [${id}]`;

/** The reverse of {@link quoteLine}; `undefined` for any other line. */
export const parseQuoteLine = (
  line: string,
): { readonly id: string; readonly segments: readonly Segment[] } | undefined => {
  const found = QUOTE_LINE.exec(line);
  if (!found?.[1] || !found[2] || UNQUOTABLE.test(line)) return undefined;
  const segments = found[1].split(BETWEEN).map((piece): Segment => {
    const cut = piece.endsWith('" …');
    return { text: piece.slice(1, cut ? -3 : -1), cut };
  });
  return { id: found[2], segments: segments.filter(({ text }) => text !== '') };
};
