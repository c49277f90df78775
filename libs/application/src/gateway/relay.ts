import { setTimeout as pause } from 'node:timers/promises';
import { type ServerEvent, serverEvents, type Wire } from '@app/formats';
import { AppError } from '@app/kernel';
import { nextPiece } from '../requests/failures.js';

/** Milliseconds for which preamble events are held back, so that an overflow error that follows can be handled. */
const PREAMBLE_MS = 250;
/** Bytes of the previous piece to search, since the final event may span two pieces. */
const MARK_BYTES = 64;

/** Maximum bytes of a stream that is recorded; a larger one is only forwarded. */
const HELD_MAX = 32 * 1_048_576;

/** The first events of a stream, and the whole stream. */
export type PeekedStream = {
  readonly events: readonly ServerEvent[];
  readonly rest: AsyncIterable<Uint8Array>;
};

/**
 * Reads the first piece of a stream; if it is only a preamble, also the pieces that follow within {@link PREAMBLE_MS}.
 * @throws {AppError} `upstream-unreachable`.
 */
export const peekStream = async (
  body: AsyncIterable<Uint8Array>,
  { preamble }: Wire,
): Promise<PeekedStream> => {
  const iterator = body[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let waiting: Promise<IteratorResult<Uint8Array>> | undefined;
  const isPreamble = (): boolean =>
    eventsIn(taken).every(({ event }) => event !== undefined && preamble.has(event));
  const stop = new AbortController();
  const late = preamble.size === 0 ? undefined : pause(PREAMBLE_MS, 'late' as const, { signal: stop.signal });
  late?.catch(() => {});
  for (;;) {
    waiting = nextPiece(iterator);
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
 * Forwards a stream piece by piece. The final piece is sent after `whenWhole` has processed the stream, so that a client that
 * has received it can continue. `whenWhole` receives `undefined` for a stream above {@link HELD_MAX}.
 */
export async function* relayStream(
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

/** Limits a stream that the gateway must read. @throws {AppError} `append-too-large` above {@link HELD_MAX}. */
export async function* limitedStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > HELD_MAX)
      throw new AppError(
        'append-too-large',
        'an answer with calls of the recall tool exceeds 32 MiB and cannot be read',
      );
    yield piece;
  }
}
