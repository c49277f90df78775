import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonChunks, jsonPieces, keepJsonText } from '../json-text.js';

const jsonText = async (value: unknown): Promise<string> => (await jsonPieces(value)).join('');
const filler = 'a "quoted" \u0000 text of some length \ud83d\ude00 '.repeat(9_000);

it.each([
  [filler],
  { a: filler, b: undefined, __proto__: null, c: new Date(0), d: [undefined, filler, []] },
  { '"name"': { [filler]: 1 }, e: {}, f: [[], {}, null, true, 1e21] },
  `${'x'.repeat(262_143)}\ud83d\ude00${'y'.repeat(280_000)}\ud83d`,
  Array.from({ length: 20_000 }, (_, at) => ({ at, text: `text ${at}` })),
])('writes the output of JSON.stringify (%#)', async (value) => {
  const pieces = await jsonPieces(value);
  expect(pieces.join('') === JSON.stringify(value)).toBe(true);
  // Each piece has its own UTF-8.
  expect(Buffer.concat(pieces.map((one) => Buffer.from(one))).toString() === pieces.join('')).toBe(true);
  const chunks = await jsonChunks(value);
  expect(Buffer.concat(chunks).toString() === JSON.stringify(value)).toBe(true);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(3 * 524_288);
});

it('writes any JSON value like JSON.stringify', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, other) => {
      const large = { value, filler, others: [other, filler, value] };
      expect((await jsonText(large)) === JSON.stringify(large)).toBe(true);
    }),
  ));

it('reuses the text of an object that was written before', async () => {
  const written = { filler };
  const text = JSON.stringify(written);
  keepJsonText(written, text);
  const answer = { ...{ a: 1 }, written, text };
  expect((await jsonText(answer)) === JSON.stringify(answer)).toBe(true);
  keepJsonText(written, '"kept"');
  expect((await jsonText({ written })) === '{"written":"kept"}').toBe(true);
});
