/** By its own name: to find it in `Math` each time takes longer than to multiply where globals are intercepted. */
const { imul } = Math;

/** Average size of a piece, in UTF-16 units: a table of longer pieces is full with fewer of them. */
const CHARACTERS = 16;

/**
 * A cache by pieces of text, addressed by position: slicing each piece would be slower than the lookup and would
 * retain the whole text. Takes 52 bytes per piece besides the values; cleared when full.
 */
export class PieceTable<Value> {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** The piece of each slot, from 1; 0 for an empty slot. */
  private readonly pieces: Int32Array;
  private readonly starts: Int32Array;
  private readonly characters: Uint16Array;
  private values: Value[] = [];
  private used = 0;

  /** @param piecesMax a power of two. */
  constructor(private readonly piecesMax: number) {
    const slots = 2 * piecesMax;
    this.mask = slots - 1;
    this.hashes = new Int32Array(slots);
    this.pieces = new Int32Array(slots);
    this.starts = new Int32Array(piecesMax + 1);
    this.characters = new Uint16Array(CHARACTERS * piecesMax);
  }

  /** Returns the value of the piece of `text` from `start` to `end`, computed by `learn` if unknown. */
  through(text: string, start: number, end: number, learn: (piece: string) => Value): Value {
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash ^= hash >>> 15;
    let slot = hash & this.mask;
    for (;;) {
      const piece = this.pieces[slot] ?? 0;
      if (piece === 0) break;
      if (this.hashes[slot] === hash && this.isAt(piece, text, start, end)) {
        const known = this.values[piece - 1];
        if (known !== undefined) return known;
      }
      slot = (slot + 1) & this.mask;
    }
    const value = learn(text.slice(start, end));
    if (this.values.length === this.piecesMax || this.used + end - start > this.characters.length)
      this.clear();
    else this.keep(slot, hash, text.slice(start, end), value);
    return value;
  }

  private isAt(piece: number, text: string, start: number, end: number): boolean {
    const from = this.starts[piece - 1] ?? 0;
    if ((this.starts[piece] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1)
      if (this.characters[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  private keep(slot: number, hash: number, piece: string, value: Value): void {
    for (let at = 0; at < piece.length; at += 1) this.characters[this.used + at] = piece.charCodeAt(at);
    this.used += piece.length;
    this.hashes[slot] = hash;
    this.pieces[slot] = this.values.push(value);
    this.starts[this.values.length] = this.used;
  }

  private clear(): void {
    this.pieces.fill(0);
    this.values = [];
    this.used = 0;
  }

  /** Drops all pieces, and leaves none of their characters in memory. */
  forget(): void {
    this.clear();
    this.characters.fill(0);
  }
}
