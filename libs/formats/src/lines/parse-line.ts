import { HUGE_NUMBER, type Json, parseJson, readJson } from '@app/kernel';
import type { TranscriptLine } from '../transcript.js';

/** The content of a line: a JSON value, or the reason why it has none. */
export type Entry =
  | {
      readonly kind: 'record';
      readonly line: number;
      readonly value: Json;
      /**
       * Whether the value continues the document of the previous entry, which is too large or too broken to be parsed
       * at once.
       */
      readonly isContinued?: boolean;
    }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string };

/**
 * Returns the JSON values of a line: none if it is blank, several if two writers appended without a line end.
 * Unreadable content is one `skipped`.
 */
export const parseLine = ({
  number: line,
  text,
  reason = 'is not text',
}: TranscriptLine): readonly Entry[] => {
  if (text === undefined) return [{ kind: 'skipped', line, reason }];
  const trimmed = text.slice(afterPadding(text, 0), beforePadding(text));
  if (trimmed === '') return text.includes('\0') ? [{ kind: 'skipped', line, reason: 'holds only NUL' }] : [];

  const read = readJson(trimmed);
  if ('value' in read) return [{ kind: 'record', line, value: read.value }];
  if (read.fault === HUGE_NUMBER) return [{ kind: 'skipped', line, reason: read.fault }];

  const { values, whole } = parseObjectsInARow(trimmed);
  const entries: Entry[] = values.map((found) => ({ kind: 'record', line, value: found }));
  if (!whole) {
    const reason = values.length > 0 ? 'is whole JSON only in its first part' : 'is not whole JSON';
    entries.push({ kind: 'skipped', line, reason });
  }
  return entries;
};

const parseObjectsInARow = (text: string): { values: readonly Json[]; whole: boolean } => {
  const values: Json[] = [];
  let from = 0;
  while (from < text.length) {
    const end = endOfObject(text, from);
    const value = end === undefined ? undefined : parseJson(text.slice(from, end));
    if (end === undefined || value === undefined) return { values, whole: false };
    from = afterPadding(text, end);
    // Only an object may follow: otherwise a brace inside a broken record was taken for its end.
    if (from < text.length && text[from] !== '{') return { values, whole: false };
    values.push(value);
  }
  return { values, whole: true };
};

// A power cut leaves runs of NUL in files that are being appended to.
const isPadding = (character: string | undefined): boolean =>
  character !== undefined && (character === '\0' || character.trim() === '');
const afterPadding = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isPadding(text[at])) at += 1;
  return at;
};
const beforePadding = (text: string): number => {
  let end = text.length;
  while (end > 0 && isPadding(text[end - 1])) end -= 1;
  return end;
};

/** Returns the index after the object that starts at `from`; `undefined` without a complete object. */
const endOfObject = (text: string, from: number): number | undefined => {
  if (text[from] !== '{') return undefined;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
};

const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
};
