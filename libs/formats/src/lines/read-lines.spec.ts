import { chunksOf } from '@app/testing';
import fc from 'fast-check';
import type { TranscriptLine } from '../transcript.js';
import { readLines } from './read-lines.js';

const linesIn = async (bytes: Uint8Array, chunkBytes = 3, lineBytesMax?: number) => {
  const lines: TranscriptLine[] = [];
  const options = lineBytesMax === undefined ? {} : { lineBytesMax };
  for await (const line of readLines(chunksOf(bytes, chunkBytes), options)) lines.push(line);
  return lines;
};
const textsIn = async (bytes: Uint8Array) => (await linesIn(bytes)).map((line) => line.text);
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('the lines of a file', () => {
  it('are numbered from 1, blank ones included', async () =>
    expect(await linesIn(utf8('a\n\nb\n'))).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: '' },
      { number: 3, text: 'b' },
    ]));

  it('end with LF or CRLF', async () =>
    expect(await textsIn(utf8('a\r\nb\nc\rd\r\n'))).toEqual(['a', 'b', 'c\rd']));

  it('include an unterminated last line', async () =>
    expect(await textsIn(utf8('a\nhalf'))).toEqual(['a', 'half']));

  it.each([0, 1, 2])('are read from a file of only %i bytes', async (length) =>
    expect(await textsIn(utf8('ab'.slice(0, length)))).toEqual(length === 0 ? [] : ['ab'.slice(0, length)]),
  );

  it('exclude the byte order mark', async () =>
    expect(await textsIn(utf8('\ufeffä\nb'))).toEqual(['ä', 'b']));

  it('are read from UTF-16 in either byte order', async () => {
    // U+0A0A and U+0100 contain the bytes of line ends.
    const little = utf16('\ufeff\u0a0a\u0100ä😀\r\nb\n');
    expect(await textsIn(little)).toEqual(['\u0a0a\u0100ä😀', 'b']);
    expect(await textsIn(Buffer.from(little).swap16())).toEqual(['\u0a0a\u0100ä😀', 'b']);
  });

  it('are reported if they are not text, and later lines are read', async () => {
    const broken = Buffer.concat([utf8('a\n'), Uint8Array.of(0xc3, 0x28), utf8('\nb')]);
    expect(await linesIn(broken)).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: undefined, reason: 'is not UTF-8' },
      { number: 3, text: 'b' },
    ]);
    expect((await linesIn(utf16('\ufeffa\nb').subarray(0, -1))).at(-1)).toEqual({
      number: 2,
      text: undefined,
      reason: 'is not UTF-16',
    });
  });

  it('are read after a line that is not UTF-16', async () => {
    const loneSurrogate = Buffer.concat([utf16('\ufeffa'), Uint8Array.of(0x00, 0xd8), utf16('\nb\n')]);
    expect(await textsIn(loneSurrogate)).toEqual([undefined, 'b']);
  });

  it('are read up to the length limit, and reported above it', async () => {
    const [fits, tooLong, last] = await linesIn(utf8('1234\n12345\n1'), 3, 4);
    expect(fits?.text).toBe('1234');
    expect(tooLong).toEqual({ number: 2, text: undefined, reason: 'is longer than 4 bytes' });
    expect(last?.text).toBe('1');
  });

  it('may contain NUL', async () => expect(await textsIn(utf8('\0\0a\n\0'))).toEqual(['\0\0a', '\0']));
});

/** Guarantee: the lines are independent of the chunk boundaries. */
describe('reading lines', () => {
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\0', 'é', '😀', '\ufeff') }).map(utf8),
    fc.string({ unit: fc.constantFrom('a', '\n', '\u0a0a', '\u000a') }).map((text) => utf16(`\ufeff${text}`)),
  );

  it('is independent of chunk boundaries', () =>
    fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 9 }), async (bytes, chunkBytes) =>
        expect(await linesIn(bytes, chunkBytes, 20)).toEqual(await linesIn(bytes, bytes.length + 1, 20)),
      ),
    ));

  it('copies the bytes of a chunk, whose buffer may be reused', async () => {
    async function* reusing() {
      const chunk = new Uint8Array(2);
      for (const pair of ['ab', 'cd', '\ne']) {
        chunk.set(utf8(pair));
        yield chunk;
      }
    }
    const texts: (string | undefined)[] = [];
    for await (const line of readLines(reusing())) texts.push(line.text);
    expect(texts).toEqual(['abcd', 'e']);
  });
});
