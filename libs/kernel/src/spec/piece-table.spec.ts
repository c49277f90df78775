import fc from 'fast-check';
import { PieceTable } from '../piece-table.js';

describe('a table of pieces of text', () => {
  it('returns the stored value of a piece at any position', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 30 }), (pieces) => {
        const table = new PieceTable<string>(1024);
        let learned = 0;
        const learn = (piece: string): string => {
          learned += 1;
          return `<${piece}>`;
        };
        const text = pieces.join('');
        let start = 0;
        for (const piece of pieces) {
          expect(table.through(text, start, start + piece.length, learn)).toBe(`<${piece}>`);
          start += piece.length;
        }
        expect(learned).toBe(new Set(pieces).size);
      }),
    ));

  it('is cleared when it is full', () => {
    const table = new PieceTable<number>(1024);
    const lengthOf = (piece: string): number => piece.length;
    for (let round = 0; round < 2; round += 1)
      for (let at = 0; at < 5_000; at += 1) {
        const piece = `${round ? 'piece' : 'p'}-${at}`;
        if (table.through(piece, 0, piece.length, lengthOf) !== piece.length) throw new Error(piece);
      }
  });
});
