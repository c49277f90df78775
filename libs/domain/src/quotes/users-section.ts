import type { Message } from '../message/index.js';
import { parseQuoteLine, quoted, quoteLine, UNQUOTABLE } from './quote-line.js';
import { spokenTexts } from './spoken-text.js';

const HEADING = '## The user’s messages, word for word';

/**
 * Returns the user's own text in `messages` as lines of a summary, oldest first: one line per message with its id,
 * and one quote per line of text. Omits only line breaks, blank lines and unquotable characters.
 */
export const usersLines = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => {
    const pieces = spokenTexts(message)
      .flatMap((text) => text.split(UNQUOTABLE))
      .filter((text) => text.trim() !== '');
    if (pieces.length === 0) return [];
    const quotes = pieces.map((text) => quoted({ text, cut: false }));
    return [quoteLine(quotes, message.id)];
  });

/** The lines that an earlier summary has kept so, oldest first. */
export const usersLinesIn = (summary: string): readonly string[] => {
  const { section } = partedAt(summary);
  return section.filter((line) => parseQuoteLine(line) !== undefined);
};

/** Returns a summary with the user's messages at its end; unchanged without messages. */
export const withUsersLines = (summary: string, lines: readonly string[]): string =>
  lines.length > 0 ? `${summary.trimEnd()}\n\n${HEADING}\n${lines.join('\n')}` : summary;

/** Returns a summary without those lines that are retained elsewhere. */
export const withoutUsersLines = (summary: string, lines: readonly string[]): string => {
  const { before, section, after } = partedAt(summary);
  const moved = new Set(lines);
  const left = section.filter((line) => !moved.has(line));
  if (left.length === section.length) return summary;
  const isEmpty = left.every((line) => line.trim() === '' || line === HEADING);
  return [...before, ...(isEmpty ? [] : left), ...after].join('\n').trimEnd();
};

/** The section begins at its heading, and ends before the next line that is neither blank nor a quote. */
const partedAt = (summary: string): Readonly<Record<'before' | 'section' | 'after', readonly string[]>> => {
  const lines = summary.split('\n');
  const start = lines.lastIndexOf(HEADING);
  if (start < 0) return { before: lines, section: [], after: [] };
  const isOver = (line: string, at: number): boolean => at > start && line !== '' && !line.startsWith('> ');
  const over = lines.findIndex(isOver);
  const end = over < 0 ? lines.length : over;
  return { before: lines.slice(0, start), section: lines.slice(start, end), after: lines.slice(end) };
};
