import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/**
 * An answer of one JSON object a line, read from `items` only as fast as it is taken. The first item is waited for, so that
 * what is refused at once is a problem and not a broken answer.
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
