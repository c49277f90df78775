import { describe, expect, it } from '@jest/globals';
import { documentIn } from './json-document.js';

const read = (text: string) => documentIn(Buffer.from(text));
const filler = 'é\\n'.repeat(100_000);
const large = (fill = filler): object => ({
  name: 'large',
  list: [1, fill, { deep: [fill, null] }, 'end'],
  more: {},
});

describe('parsing a large document', () => {
  it.each([
    large(),
    [large(), 1, [large()], large(), []],
    { a: large(), b: 1, c: { d: [large(), large()] }, e: [[[[large()]]]] },
    Array.from({ length: 30_000 }, (_, at) => ({ at, text: 'x]}",{[' })),
    Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`name ${at}`, `"\\${at}`])),
    { 1: filler, 0: [filler], a: filler },
  ])('is what JSON.parse makes of it (%#)', async (value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 3), ` ${JSON.stringify(value)}\n`])
      expect(JSON.stringify(await read(text)) === JSON.stringify(JSON.parse(text))).toBe(true);
  });

  it('keeps the last of two members with the same name, and members of any name', async () => {
    const text = `{"a":1,"b":"${filler}","a":["${filler}"],"__proto__":["${filler}"],"c":2}`;
    const value = await read(text);
    expect(Object.keys(value ?? {})).toEqual(['a', 'b', '__proto__', 'c']);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  const list = `["${filler}"]`;
  it.each([
    `[${list},,${list}]`,
    `[${list},]`,
    `[,${list}]`,
    `[${list} ${list}]`,
    `[${list} 1]`,
    `[1 ${list}]`,
    `{"a" ${list}}`,
    `{${list}}`,
    `{"a":1 ${list}}`,
    `{"a":${list},}`,
    `[${list}}`,
    `[${list}`,
    `${list}]`,
    `${list} 1`,
    `1 ${list}`,
    `${list},${list}`,
    `${list}${list}`,
    `["${filler}]`,
    `[${list}:${list}]`,
    `["a":${list}]`,
  ])('is refused where JSON.parse refuses it (%#)', async (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(read(text)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it.each([filler, ''])('rejects invalid UTF-8 (%#)', async (fill) => {
    for (const invalid of [[0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
      const bytes = Buffer.concat([Buffer.from(`["${fill}`), Buffer.from(invalid), Buffer.from('"]')]);
      await expect(documentIn(bytes)).rejects.toThrow('not valid UTF-8');
    }
  });

  it('rejects too many values or levels', async () => {
    await expect(read(`[${'111,'.repeat(100_000)}1]`)).rejects.toThrow('more than 100000 values');
    await expect(documentIn(Buffer.from('[1,2]'), 99_998)).rejects.toThrow('more than 100000 values');
    await expect(read(`${'['.repeat(501)}${' '.repeat(300_000)}${']'.repeat(501)}`)).rejects.toThrow(
      'deeper than 500',
    );
  });
});
