import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * Returns an NDJSON answer that reads `items` with backpressure. It waits for the first item, so that an early failure becomes
 * a problem response instead of a truncated answer.
 */
export const ndjson = async (items: AsyncIterable<object>): Promise<StreamableFile> => {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  const stream = Readable.from(lines(first, iterator));
  return new StreamableFile(stream, { type: 'application/x-ndjson' });
};

async function* lines(first: IteratorResult<object>, rest: AsyncIterator<object>): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield `${JSON.stringify(next.value)}\n`;
  } finally {
    await rest.return?.();
  }
}

/** Waits for the first piece, so that an early failure becomes a problem response instead of a truncated answer. */
export const started = async (pieces: AsyncIterable<string>): Promise<AsyncGenerator<string>> => {
  const lines = pieces[Symbol.asyncIterator]();
  const first = await lines.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await lines.next()) yield next.value;
    } finally {
      // Also when the client disconnects before it has read anything.
      await lines.return?.();
    }
  })();
};
