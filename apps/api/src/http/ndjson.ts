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
