import { isJsonObject, type Json, parseJson } from '@app/kernel';
import type { Format } from '../formats.js';
import { type Entry, parseLine } from '../lines/parse-line.js';
import type { TranscriptLine } from '../transcript.js';
import { Recognizer } from './recognizer.js';

/** Foreign or broken records that a file of lines may begin with before one must be recognized. */
const FOREIGN_MAX = 1_000;
const FOREIGN_CHARACTERS_MAX = 32 * 1024 * 1024;
/** Maximum of further records that may decide the format. */
const OPEN_RECORDS_MAX = 32;

/**
 * The first lines of a file, kept until they tell its format.
 *
 * A file is lines of JSON, or one document over many lines. In a document, a line that is a whole JSON value
 * follows on one that ends with a comma, a bracket or a colon; in a file of lines it follows on another value.
 */
export class Head {
  readonly entries: Entry[] = [];
  readonly #recognizer = new Recognizer();
  /** The lines so far, while they may form one document; then `undefined`. */
  #document: string[] | undefined = [];
  #beginsAlone = false;
  #isWhole = false;
  #characterCount = 0;
  #previousLine = '';
  #recognizedCount = 0;
  #openSince: number | undefined;

  /** Takes the next line; `true` once no further one is needed. */
  take(line: TranscriptLine): boolean {
    const found = parseLine(line);
    const isFirst = this.entries.length === 0 && found.length > 0;
    for (const entry of found) this.entries.push(entry);
    this.#characterCount += line.text?.length ?? 0;
    if (this.#document !== undefined) {
      if (this.#isOfDocument(line, found, isFirst)) this.#document.push(line.text ?? '');
      else this.#document = undefined;
      if (found.length > 0) this.#previousLine = line.text ?? '';
    }
    if (this.#document !== undefined) return false;

    this.#recognize();
    return this.#recognizer.isCertain || this.#isSpent();
  }

  /** The format, after the last line was taken that there is or that is needed. */
  verdict(): Format | undefined {
    if (this.#document !== undefined) {
      const value = parseJson(this.#document.join('\n'));
      this.#isWhole = value !== undefined;
      if (value !== undefined) this.entries.splice(0, Infinity, { kind: 'record', line: 1, value });
      // A document that is torn may have a line here and there that looks like a record.
      else if (this.#beginsAlone || this.#brokenCount() * 2 > this.entries.length) return undefined;
    }
    this.#recognize();
    return this.#recognizer.format;
  }

  /** Whether the last verdict was on one whole document. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether the file is empty: no character, or an empty list of messages. */
  get isEmpty(): boolean {
    return this.entries.every((entry) => entry.kind === 'record' && isEmptyList(entry.value));
  }

  /** Whether the input so far is the beginning of one document; `undefined` without input. */
  get isDocument(): boolean | undefined {
    return this.#document !== undefined && this.entries.length === 0
      ? undefined
      : this.#document !== undefined;
  }

  /** The text if it is neither lines of a known format nor a valid document; `undefined` if it cannot be a document. */
  get brokenDocument(): string | undefined {
    return this.#document?.join('\n');
  }

  #isOfDocument({ text }: TranscriptLine, found: readonly Entry[], isFirst: boolean): boolean {
    if (this.#beginsAlone) return true;
    if (text === undefined) return false;
    // No file of lines begins with a bracket alone.
    if (isFirst && /^\s*[[{]\s*$/.test(text)) {
      this.#beginsAlone = true;
      return true;
    }
    if (isFirst) return /^\s*[[{]/.test(text) && !isWhole(found);
    return found.length < 2 && (!isWhole(found) || /[,[:]\s*$/.test(this.#previousLine.slice(-80)));
  }

  #brokenCount(): number {
    return this.entries.filter(({ kind }) => kind === 'skipped').length;
  }

  #recognize(): void {
    for (; this.#recognizedCount < this.entries.length; this.#recognizedCount += 1) {
      const entry = this.entries[this.#recognizedCount];
      if (entry?.kind === 'record') this.#recognizer.weigh(entry.value);
      if (this.#recognizer.format !== undefined) this.#openSince ??= this.entries.length;
    }
  }

  #isSpent(): boolean {
    const since = this.#openSince;
    if (since !== undefined && this.entries.length - since >= OPEN_RECORDS_MAX) return true;
    return this.entries.length >= FOREIGN_MAX || this.#characterCount >= FOREIGN_CHARACTERS_MAX;
  }
}

const isWhole = (found: readonly Entry[]): boolean =>
  found.length > 0 && found.every(({ kind }) => kind === 'record');

const isEmptyList = (value: Json): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : isJsonObject(value) && Array.isArray(value.messages) && value.messages.length === 0;
