import { setTimeout as pause } from 'node:timers/promises';
import { type ServerEvent, serverEvents, type Wire } from '@app/formats';
import { AppError } from '@app/kernel';

/** How long what comes before anything is decided is kept back, so that a refusal that follows it is not told. */
const PREAMBLE_MS = 250;
/** An event that ends a stream may stand in two pieces of it. */
const MARK_BYTES = 64;

/** Bytes of a stream that is held to be recorded when it ends: what is larger is passed on alone. */
const HELD_MAX = 32 * 1_048_576;

/** The first pieces of a stream, and all that follow. */
export type Begun = {
  readonly events: readonly ServerEvent[];
  readonly rest: AsyncIterable<Uint8Array>;
};

/** Takes the first piece of a stream; and where that holds nothing but a preamble, the next, or what comes of it in time. */
export const begun = async (body: AsyncIterable<Uint8Array>, { preamble }: Wire): Promise<Begun> => {
  const iterator = body[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let waiting: Promise<IteratorResult<Uint8Array>> | undefined;
  const isPreamble = (): boolean =>
    eventsIn(taken).every(({ event }) => event !== undefined && preamble.has(event));
  const stop = new AbortController();
  const late = preamble.size === 0 ? undefined : pause(PREAMBLE_MS, 'late' as const, { signal: stop.signal });
  late?.catch(() => {});
  for (;;) {
    waiting = iterator.next();
    const next = taken.length === 0 || !late ? await waiting : await Promise.race([waiting, late]);
    if (next === 'late') break;
    waiting = undefined;
    if (next.done) break;
    taken.push(next.value);
    if (!late || !isPreamble()) break;
  }
  stop.abort();
  return { events: eventsIn(taken), rest: continued(taken, waiting, iterator) };
};

const eventsIn = (pieces: readonly Uint8Array[]): readonly ServerEvent[] =>
  serverEvents(Buffer.concat(pieces).toString('utf8'));

async function* continued(
  taken: readonly Uint8Array[],
  waiting: Promise<IteratorResult<Uint8Array>> | undefined,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* taken;
    for (let next = await (waiting ?? iterator.next()); !next.done; next = await iterator.next())
      yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/**
 * Passes a stream on, each piece as it comes, but for the one that ends it: that one goes out when `whenWhole` is done with
 * all of it, so that whoever has heard the end can go on from there. `whenWhole` is told `undefined` for a stream that is too
 * large to be held.
 */
export async function* relayed(
  body: AsyncIterable<Uint8Array>,
  { ending }: Wire,
  whenWhole: (stream: string | undefined) => Promise<void> | void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces: Uint8Array[] = [];
  let held: Uint8Array | undefined;
  let before = '';
  let bytes = 0;
  for await (const piece of body) {
    if (held) yield held;
    held = undefined;
    bytes += piece.length;
    if (bytes <= HELD_MAX) pieces.push(piece);
    else pieces.length = 0;
    const latest = before + Buffer.from(piece).toString('latin1');
    if (ending.test(latest)) held = piece;
    else yield piece;
    before = latest.slice(-MARK_BYTES);
  }
  await whenWhole(bytes > HELD_MAX ? undefined : Buffer.concat(pieces).toString('utf8'));
  if (held) yield held;
}

/** A stream that has to be read to be passed on. @throws {AppError} `append-too-large` once it is larger than what is held. */
export async function* atMost(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > HELD_MAX)
      throw new AppError(
        'append-too-large',
        'an answer with calls of the recall tool is too large to be read',
      );
    yield piece;
  }
}
