/**
 * Returns where `text` stops being JSON, if the platform's message has a position. The message itself quotes the
 * text, which must not get into errors.
 */
export const jsonFault = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/end of JSON input/.test(message)) return 'it ends in the middle';
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
    if (position === undefined) return undefined;
    const before = text.slice(0, Number(position)).split('\n');
    return `it breaks at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  }
};
