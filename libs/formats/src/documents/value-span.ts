import { BACKSLASH, COMMA, closes, isBlank, LINE_END, opens, QUOTE } from './json-bytes.js';

/** The end of a value: not in these bytes, before a byte, or truncated at a byte. */
export type SpanEnd =
  | { readonly kind: 'open' }
  | { readonly kind: 'end'; readonly at: number }
  | { readonly kind: 'broken'; readonly at: number };

/** Finds the end of one JSON value across chunks, by brackets and strings only. */
export class ValueSpan {
  #depth = 0;
  #inString = false;
  /** Whether the last chunk ends with an odd number of backslashes. */
  #isEscaped = false;
  #isScalar: boolean | undefined;
  /** Number of line ends between its members. */
  lineEnds = 0;
  #lineEnd: { readonly bytes: Buffer | undefined; readonly at: number } = { bytes: undefined, at: -1 };
  /** Called at every line end within the value: returns whether the next line cannot belong to it. */
  readonly #isForeign: (bytes: Buffer, lineStart: number) => boolean;

  constructor(isForeign: (bytes: Buffer, lineStart: number) => boolean) {
    this.#isForeign = isForeign;
  }

  /** Takes the bytes of a chunk from `from` on, the start or continuation of the value. */
  take(bytes: Buffer, from: number): SpanEnd {
    let at = from;
    while (at < bytes.length) {
      if (this.#inString) {
        const end = this.#stringEnd(bytes, at);
        if (end.kind !== 'end') return end;
        at = end.at;
        if (this.#depth === 0) return end;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.#isScalar === true && (byte === COMMA || closes(byte) || isBlank(byte)))
        return { kind: 'end', at };
      this.#isScalar ??= !opens(byte) && byte !== QUOTE;
      if (byte === QUOTE) this.#inString = true;
      else if (opens(byte)) this.#depth += 1;
      else if (closes(byte)) this.#depth -= 1;
      else if (byte === LINE_END) {
        if (this.#isForeign(bytes, at + 1)) return { kind: 'broken', at };
        this.lineEnds += 1;
      }
      at += 1;
      if (this.#depth === 0 && closes(byte)) return { kind: 'end', at };
    }
    return { kind: 'open' };
  }

  #stringEnd(bytes: Buffer, from: number): SpanEnd {
    const lineEnd = this.#nextLineEnd(bytes, from);
    for (let at = from; ; ) {
      const quote = bytes.indexOf(QUOTE, at);
      // A string never crosses a line end: a quote is missing or superfluous.
      if (lineEnd >= 0 && (quote < 0 || lineEnd < quote)) return { kind: 'broken', at: lineEnd };
      const isEscaped = this.#endsEscaped(bytes, from, quote < 0 ? bytes.length : quote);
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return { kind: 'open' };
      }
      at = quote + 1;
      if (isEscaped) continue;
      this.#isEscaped = false;
      this.#inString = false;
      return { kind: 'end', at };
    }
  }

  /** Cached for all strings before it. */
  #nextLineEnd(bytes: Buffer, from: number): number {
    const { bytes: known, at } = this.#lineEnd;
    if (known === bytes && (at < 0 || at >= from)) return at;
    const found = bytes.indexOf(LINE_END, from);
    this.#lineEnd = { bytes, at: found };
    return found;
  }

  #endsEscaped(bytes: Buffer, from: number, end: number): boolean {
    let at = end - 1;
    while (at >= from && bytes[at] === BACKSLASH) at -= 1;
    const isOdd = (end - 1 - at) % 2 === 1;
    return at < from && this.#isEscaped ? !isOdd : isOdd;
  }
}
