/** A power of two, twice as many as there are pieces at most. */
const SLOTS = 1 << 17;
const PIECES_MAX = SLOTS / 2;
/** Of all pieces together, in UTF-16 units. */
const CHARACTERS_MAX = 1 << 20;

/**
 * Remembers something of pieces of text, and finds them where they stand: to cut each of them out of its text would take
 * longer than all the rest, and would hold on to that text. Takes 4 MB beside what is remembered; full, it begins anew.
 */
export class PieceTable<Value> {
  private readonly hashes = new Int32Array(SLOTS);
  /** Which piece a slot is of, from 1; 0 where it is empty. */
  private readonly pieces = new Int32Array(SLOTS);
  private readonly starts = new Int32Array(PIECES_MAX + 1);
  private readonly characters = new Uint16Array(CHARACTERS_MAX);
  private values: Value[] = [];
  private used = 0;

  /** What is known of the piece of `text` from `start` to `end`; what `learn` says of it where that is nothing yet. */
  through(text: string, start: number, end: number, learn: (piece: string) => Value): Value {
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
    hash ^= hash >>> 15;
    let slot = hash & (SLOTS - 1);
    for (;;) {
      const piece = this.pieces[slot] ?? 0;
      if (piece === 0) break;
      if (this.hashes[slot] === hash && this.isAt(piece, text, start, end)) {
        const known = this.values[piece - 1];
        if (known !== undefined) return known;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    const value = learn(text.slice(start, end));
    if (this.values.length === PIECES_MAX || this.used + end - start > CHARACTERS_MAX) this.clear();
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
}
