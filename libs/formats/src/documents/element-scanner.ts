import { parseJson } from '@app/kernel';
import type { Found } from './found.js';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closes,
  isBlank,
  LINE_END,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.js';
import { decoded, endOfDecided, endOfLine, faultOf, INDENT_MAX, NOTHING } from './scanning.js';
import { ValueSpan } from './value-span.js';

type Place = 'outside' | 'object' | 'value' | 'list' | 'lost';
type Capture = {
  readonly span: ValueSpan;
  readonly line: number;
  readonly of: 'name' | 'member' | 'element';
  parts: Uint8Array[];
  size: number;
};

/**
 * Cuts JSON documents into the members of an object and the elements of a list, the lists that are members included, and
 * goes no deeper: each of them is parsed as a whole. One that is not whole JSON is a fault, and the next one is found by
 * the indentation that all of them have, where they stand on lines of their own.
 *
 * Memory: one element, at most `bytesMax` of it.
 */
export class ElementScanner {
  #place: Place = 'outside';
  #line = 1;
  #name = '';
  #isMemberList = false;
  #capture: Capture | undefined;
  /** The indentation of elements, if the first one began a line. */
  #indent: Buffer | undefined;
  /** The first elements end on the line that they begin on. */
  #isOneLine = false;
  /** The blanks at the start of the line, until another character follows. */
  #blanks: number[] | undefined = [];
  #lead: readonly number[] | undefined;
  /** A line end and the following blanks, until the next character is known. */
  #tail: Buffer = NOTHING;

  constructor(private readonly bytesMax: number) {}

  *push(chunk: Buffer): Generator<Found> {
    const all = this.#tail.length > 0 ? Buffer.concat([this.#tail, chunk]) : chunk;
    const whole = endOfDecided(all);
    this.#tail = whole < all.length ? Buffer.from(all.subarray(whole)) : NOTHING;
    yield* this.#take(all.subarray(0, whole));
  }

  *#take(bytes: Buffer): Generator<Found> {
    let at = 0;
    while (at < bytes.length)
      at = this.#capture ? yield* this.#continue(bytes, at) : yield* this.#step(bytes, at);
  }

  *end(): Generator<Found> {
    yield* this.#take(this.#tail);
    this.#tail = NOTHING;
    const broken = this.#capture;
    this.#capture = undefined;
    if (broken !== undefined || this.#place !== 'outside') {
      if (this.#place !== 'lost')
        yield { kind: 'fault', line: broken?.line ?? this.#line, reason: 'ends in the middle' };
      if (this.#isMemberList) yield { kind: 'list-end' };
      yield { kind: 'end' };
    }
    this.#place = 'outside';
  }

  *#step(bytes: Buffer, at: number): Generator<Found, number> {
    const byte = bytes[at] ?? 0;
    if (byte === LINE_END) {
      this.#line += 1;
      this.#blanks = [];
      if (this.#place === 'lost' && this.#isNextElement(bytes, at + 1)) this.#place = 'list';
      return at + 1;
    }
    if (isBlank(byte)) {
      if (this.#blanks && this.#blanks.length < INDENT_MAX) this.#blanks.push(byte);
      return at + 1;
    }
    this.#lead = this.#blanks;
    this.#blanks = undefined;
    switch (this.#place) {
      case 'outside':
        return yield* this.#begin(byte, at);
      case 'object':
        return yield* this.#inObject(bytes, byte, at);
      case 'value':
        return yield* this.#value(bytes, byte, at);
      case 'list':
        return yield* this.#inList(bytes, byte, at);
      case 'lost':
        return endOfLine(bytes, at);
    }
  }

  *#begin(byte: number, at: number): Generator<Found, number> {
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) {
      yield* this.#lose('is not whole JSON from here on');
      return at;
    }
    this.#place = byte === OPEN_LIST ? 'list' : 'object';
    this.#indent = undefined;
    yield { kind: 'begin', isList: byte === OPEN_LIST, line: this.#line };
    return at + 1;
  }

  *#inObject(bytes: Buffer, byte: number, at: number): Generator<Found, number> {
    if (byte === COMMA) return at + 1;
    if (byte === CLOSE_OBJECT) {
      yield { kind: 'end' };
      this.#place = 'outside';
      return at + 1;
    }
    if (byte === QUOTE) return yield* this.#start('name', bytes, at);
    if (byte === COLON) {
      this.#place = 'value';
      return at + 1;
    }
    yield* this.#lose('is not whole JSON from here on');
    return at;
  }

  *#value(bytes: Buffer, byte: number, at: number): Generator<Found, number> {
    if (closes(byte) || byte === COMMA || byte === COLON) {
      yield* this.#lose('is not whole JSON from here on');
      return at;
    }
    if (byte !== OPEN_LIST) return yield* this.#start('member', bytes, at);
    this.#place = 'list';
    this.#isMemberList = true;
    this.#indent = undefined;
    yield { kind: 'list', name: this.#name };
    return at + 1;
  }

  *#inList(bytes: Buffer, byte: number, at: number): Generator<Found, number> {
    if (byte === COMMA) return at + 1;
    if (byte !== CLOSE_LIST) {
      if (byte === CLOSE_OBJECT || byte === COLON) {
        yield* this.#lose('is not whole JSON from here on');
        return at;
      }
      return yield* this.#start('element', bytes, at);
    }
    yield this.#isMemberList ? { kind: 'list-end' } : { kind: 'end' };
    this.#place = this.#isMemberList ? 'object' : 'outside';
    this.#isMemberList = false;
    return at + 1;
  }

  *#start(of: Capture['of'], bytes: Buffer, at: number): Generator<Found, number> {
    const span = new ValueSpan(
      (chunk, lineStart) => of === 'element' && this.#isNextElement(chunk, lineStart),
    );
    this.#capture = { span, line: this.#line, of, parts: [], size: 0 };
    return yield* this.#continue(bytes, at);
  }

  *#continue(bytes: Buffer, from: number): Generator<Found, number> {
    const capture = this.#capture;
    if (capture === undefined) return from;
    const end = capture.span.take(bytes, from);
    const to = end.kind === 'open' ? bytes.length : end.at;
    capture.size += to - from;
    if (capture.size > this.bytesMax) capture.parts = [];
    // Copied, because the caller may reuse the buffer before the next chunk.
    else
      capture.parts.push(
        end.kind === 'open' ? Uint8Array.from(bytes.subarray(from)) : bytes.subarray(from, to),
      );
    if (end.kind === 'open') return bytes.length;
    this.#capture = undefined;
    this.#line += capture.span.lineEnds;
    if (
      capture.of === 'element' &&
      this.#indent === undefined &&
      end.kind === 'end' &&
      this.#lead !== undefined
    ) {
      this.#indent = Buffer.from(this.#lead);
      this.#isOneLine = capture.span.lineEnds === 0;
    }
    if (end.kind === 'broken') yield* this.#break(capture);
    else yield* this.#close(capture);
    return to;
  }

  *#close(capture: Capture): Generator<Found> {
    const { of, line, size } = capture;
    const text = size > this.bytesMax ? undefined : decoded(capture.parts);
    const value = text === undefined ? undefined : parseJson(text);
    if (of === 'name') {
      this.#name = typeof value === 'string' ? value : '';
      return;
    }
    if (of === 'member') this.#place = 'object';
    if (value === undefined) yield { kind: 'fault', line, reason: faultOf(of, size > this.bytesMax, text) };
    else if (of === 'member') yield { kind: 'member', name: this.#name, value, size };
    else yield { kind: 'element', value, line, size };
  }

  /** Resumes after a value that is truncated at a line end: at the next line with the indentation of elements. */
  *#break(capture: Capture): Generator<Found> {
    if (capture.of === 'element') {
      yield { kind: 'fault', line: capture.line, reason: faultOf('element', false, undefined) };
      if (this.#canSeek) this.#place = 'lost';
      else yield* this.#lose('cannot be read further');
    } else yield* this.#lose('is not whole JSON from here on');
  }

  /** Whether no line within an element begins as the elements themselves do. */
  get #canSeek(): boolean {
    return this.#indent !== undefined && (this.#indent.length > 0 || this.#isOneLine);
  }

  #isNextElement(bytes: Buffer, lineStart: number): boolean {
    const indent = this.#indent;
    if (indent === undefined || !this.#canSeek || lineStart + indent.length >= bytes.length) return false;
    return (
      bytes[lineStart + indent.length] === OPEN_OBJECT &&
      bytes.subarray(lineStart, lineStart + indent.length).equals(indent)
    );
  }

  *#lose(reason: string): Generator<Found> {
    yield { kind: 'fault', line: this.#line, reason };
    this.#place = 'lost';
    this.#indent = undefined;
  }
}
