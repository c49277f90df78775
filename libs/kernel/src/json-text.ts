import { weightOf } from './json.js';
import { Slices } from './slices.js';

/** What is written down in one go, in bytes or characters: less than a millisecond. */
const PIECE = 65_536;

/** What `JSON.stringify` makes of `value`, in slices between which the event loop serves others. */
export const jsonText = async (value: unknown): Promise<string> => {
  const slices = new Slices();
  const pieces: string[] = [];
  for (const piece of piecesOf(value)) {
    pieces.push(piece);
    if (slices.isOver) await slices.next();
  }
  return pieces.join('');
};

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > PIECE) yield* stringPieces(value);
  else if (!isPlain(value) || weightOf(value, PIECE) < PIECE) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* arrayPieces(value);
  else yield* objectPieces(value);
}

function* arrayPieces(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before;
    yield* piecesOf(item);
    before = ',';
  }
  yield ']';
}

function* objectPieces(members: object): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* piecesOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** The two halves of a surrogate pair stay together: apart they would be escaped. */
function* stringPieces(text: string): Generator<string> {
  yield '"';
  let from = 0;
  while (from < text.length) {
    const isInPair = /[\ud800-\udbff]/.test(text[from + PIECE - 1] ?? '');
    const to = from + PIECE - (isInPair ? 1 : 0);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** An array, or an object that is written member by member. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);
