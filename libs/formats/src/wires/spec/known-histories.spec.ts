import { isJsonObject, type JsonObject } from '@app/kernel';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BodyPart, KnownHistories, wireOf } from '../index.js';

const wire = wireOf('anthropic');
const item = (text: string, at: number): JsonObject => ({
  role: 'user',
  content: [{ type: 'text', text, at }],
});
const filler = 'é "quoted" ]}, '.repeat(1_000);
const items = Array.from({ length: 20 }, (_, at) => item(`${at} ${filler}`, at));
const first = { model: 'm', system: '"messages":[', messages: items, max_tokens: 1 };

describe('histories of recent requests', () => {
  let histories: KnownHistories;
  let parts: (BodyPart | undefined)[];
  const read = async (text: string, owner = 'tenant') =>
    histories.read(owner, wire, { text, bytes: Buffer.from(text) }, async (part) => {
      parts.push(part);
      const body: unknown = JSON.parse(part?.text ?? text);
      if (!isJsonObject(body)) throw new SyntaxError('no object');
      return body;
    });
  /** Reads a text behind the first one, and expects what JSON.parse makes of it. */
  const readNext = async (text: string, owner?: string) => {
    const known = await read(JSON.stringify(first));
    const next = await read(text, owner);
    const expected: JsonObject = Object(JSON.parse(text));
    expect(next.body).toEqual(expected);
    expect(next.ranges?.map(({ start, end }) => JSON.parse(text.slice(start, end)))).toEqual(
      expected.messages,
    );
    return { known, next };
  };
  const objectsIn = (body: JsonObject): readonly unknown[] =>
    Array.isArray(body.messages) ? body.messages : [];
  beforeEach(() => {
    histories = new KnownHistories();
    parts = [];
  });

  const more = [item('next', 20), item('last', 21)];
  it.each([
    ['continued', { ...first, messages: [...items, ...more] }],
    [
      'continued, with other members',
      { ...first, messages: [...items, ...more], max_tokens: 2, stream: true },
    ],
    ['sent again', first],
  ])('parse only the new part of a history that is %s', async (_, body) => {
    const { known, next } = await readNext(JSON.stringify(body));
    expect(parts[1]?.text.length).toBeLessThan(1_000);
    // Each item has the values of its two objects, its list and its text, besides those of the comma before it.
    expect(parts[1]?.valuesBeside).toBe(20 * 7);
    const [before, after] = [objectsIn(known.body), objectsIn(next.body)];
    for (const [at, object] of before.entries()) expect(after[at]).toBe(object);
  });

  const text = JSON.stringify(first);
  it.each([
    ['edited', text.replace('19 é', '19 e')],
    ['shortened', JSON.stringify({ ...first, messages: items.slice(0, 15) })],
    ['written with blanks', JSON.stringify(first, null, 1)],
    ['behind another system prompt', text.replace('"m"', '"n"')],
  ])('parse a history anew that is %s', async (_, changed) => {
    await readNext(changed);
    expect(parts[1]).toBeUndefined();
  });

  it('take the last one of two members', async () => {
    await readNext(text.replace(/\}$/, `,"messages":${JSON.stringify(more)}}`));
  });

  it.each([text.replace(/\],"max/, ',],"max'), text.replace(/\],"max/, '{}],"max'), text.slice(0, -1)])(
    'refuse what JSON.parse refuses (%#)',
    async (invalid) => {
      await read(text);
      await expect(read(invalid)).rejects.toThrow(SyntaxError);
    },
  );

  it('belong to one owner, and are forgotten', async () => {
    await readNext(text, 'other');
    expect(parts.pop()).toBeUndefined();
    histories.forget();
    await read(text);
    expect(parts.pop()).toBeUndefined();
  });

  it('keep the history that continues when others branch from it', async () => {
    await read(text);
    await read(JSON.stringify({ ...first, messages: [...items, ...more] }));
    await read(JSON.stringify({ ...first, messages: [...items.slice(0, 19), ...more] }));
    await read(JSON.stringify({ ...first, messages: [...items, ...more, ...more] }));
    expect(parts.map((part) => part !== undefined)).toEqual([false, true, false, true]);
  });
});
