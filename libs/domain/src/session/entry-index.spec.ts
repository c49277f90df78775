import { MessageId, Revision, Tokens } from '@app/kernel';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { disposablePlaces, type Entry, entryById, tokensOf } from './entry.js';
import { growByCopy, growInPlace } from './grow.js';

let made = 0;
const entry = (id: number): Entry => {
  made += 1;
  const reasoning = id % 3 === 0 ? ({ reasoning: 'disposable' } as const) : {};
  const message = { id: MessageId(`m${id}`), role: 'user', blocks: [], ...reasoning } as const;
  return { message, revision: Revision(made), tokens: Tokens(id), blockTokens: [], turn: 1, position: made };
};

/** Grows any earlier list, so that lists of one session branch; then reads any of them. */
const step = fc.record({
  parent: fc.nat(),
  ids: fc.array(fc.nat(9), { maxLength: 3 }),
  asked: fc.nat(),
  isInPlace: fc.boolean(),
});

it('finds the same entries as a linear search, in every branch of a session', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lists: (readonly Entry[])[] = [[]];
      for (const { parent, ids, asked, isInPlace } of steps) {
        const grow = isInPlace ? growInPlace() : growByCopy;
        let list = lists[parent % lists.length] ?? [];
        for (const id of ids) list = grow(list, [entry(id)]);
        lists.push(list);
        const read = lists[asked % lists.length] ?? [];
        const places = [...read.keys()].filter((at) => read[at]?.message.reasoning === 'disposable');
        expect(disposablePlaces(read)).toEqual(places);
        expect(tokensOf(read)).toBe(read.reduce((sum, { tokens }) => sum + tokens, 0));
        for (let id = 0; id < 10; id += 1) {
          const found = read.find(({ message }) => message.id === `m${id}`);
          expect(entryById(read, MessageId(`m${id}`))).toBe(found);
        }
      }
    }),
  );
});
