import { chunksOf } from '@app/testing';
import fc from 'fast-check';
import type { Entry } from '../lines/parse-line.js';
import { documentEntries } from './document-entries.js';

const entriesOf = async (text: string, chunkBytes: number, partBytes: number): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  const bytes = chunksOf(new TextEncoder().encode(text), chunkBytes);
  for await (const entry of documentEntries(bytes, { partBytes })) entries.push(entry);
  return entries;
};
const valuesOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'record' ? [entry.value] : []));
const faultsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'skipped' ? [entry.line] : []));

const json = fc.jsonValue({ maxDepth: 3 });
const member = fc.string({ maxLength: 4 });
const documents = fc.oneof(
  fc.array(json, { maxLength: 8 }),
  fc.dictionary(member, fc.oneof(json, fc.array(json, { maxLength: 8 })), { maxKeys: 5 }),
);
const indents = fc.constantFrom(undefined, 1, 2, '\t');

describe('a document that is parsed in chunks', () => {
  it('is yielded as a whole if it fits one chunk', () =>
    fc.assert(
      fc.asyncProperty(
        documents,
        indents,
        fc.integer({ min: 1, max: 50 }),
        async (value, indent, chunkBytes) => {
          const text = JSON.stringify(value, null, indent);
          const entries = await entriesOf(text, chunkBytes, 1_000_000);
          expect(entries).toEqual([{ kind: 'record', line: expect.any(Number), value: JSON.parse(text) }]);
        },
      ),
    ));

  it('yields every element of its list once, in order, at any chunk size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(json, { minLength: 1, maxLength: 12 }),
        indents,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 40 }),
        async (list, indent, chunkBytes, partBytes) => {
          const expected = JSON.parse(JSON.stringify(list));
          const ofList = valuesOf(await entriesOf(JSON.stringify(list, null, indent), chunkBytes, partBytes));
          expect(ofList.flat(1)).toEqual(expected.flat(0));
          const document = { id: 'd', list, after: 1 };
          const entries = await entriesOf(JSON.stringify(document, null, indent), chunkBytes, partBytes);
          expect(valuesOf(entries)).toEqual(
            valuesOf(entries).map(() => expect.objectContaining({ id: 'd', list: expect.any(Array) })),
          );
          expect(
            valuesOf(entries).flatMap((part) => (part instanceof Object && 'list' in part ? part.list : [])),
          ).toEqual(expected);
          expect(entries.map((entry) => 'isContinued' in entry)).toEqual(entries.map((_, at) => at > 0));
        },
      ),
    ));

  it('drops only broken elements, and reports their lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 30 }),
        async (broken, chunkBytes, partBytes) => {
          const elements = broken.map((isBroken, at) => {
            const text = `{"at":${at},"s":"a \\" b","deep":[{"x":"{"}]}`;
            return isBroken && at > 0 ? text.slice(0, 12 + at) : text;
          });
          const entries = await entriesOf(
            `{"list": [\n  ${elements.join(',\n  ')}\n]}`,
            chunkBytes,
            partBytes,
          );
          const found = valuesOf(entries).flatMap((part) =>
            part instanceof Object && 'list' in part ? part.list : [],
          );
          const whole = broken.flatMap((isBroken, at) =>
            isBroken && at > 0 ? [] : [expect.objectContaining({ at })],
          );
          // A broken last element takes the end of the list with it.
          expect(found).toEqual(whole);
          const faults = faultsOf(entries).filter((line) => line <= broken.length + 1);
          expect(new Set(faults)).toEqual(
            new Set(broken.flatMap((isBroken, at) => (isBroken && at > 0 ? [at + 2] : []))),
          );
        },
      ),
    ));

  it.each([
    ['{"a":1,"list":[1,2,{"b"', [1, 2], [1]],
    ['[1,2', [1], [1]],
    ['[1,2 ]\nwords', [1, 2], [2]],
    ['[{"a":1}]\n[{"b":2}]', [{ a: 1 }, { b: 2 }], []],
  ])(
    'that is truncated, or followed by other text, is read as far as it is complete: %s',
    async (text, elements, faults) => {
      const entries = await entriesOf(text, 3, 1_000);
      const found = valuesOf(entries).flatMap((part) =>
        Array.isArray(part) ? part : part instanceof Object && 'list' in part ? part.list : [],
      );
      expect(found).toEqual(elements);
      expect(faultsOf(entries)).toEqual(faults);
    },
  );

  it('reports the position of bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('[{"a":"'), Buffer.of(0xff), Buffer.from('"},\n{"b":1}]')]);
    const entries: Entry[] = [];
    for await (const entry of documentEntries(chunksOf(bytes, 4))) entries.push(entry);
    expect(faultsOf(entries)).toEqual([1]);
    expect(valuesOf(entries)).toEqual([[{ b: 1 }]]);
  });
});
