import { isUtf8 } from 'node:buffer';
import { parseJson } from '@app/kernel';
import { z } from 'zod';
import type { LoggedEvent } from '../events/raw-event.js';

/** Bytes as text where they are UTF-8, and as base64 otherwise: either is exact. */
const bytes = z.union([z.string(), z.tuple([z.string()])]);
const line = z.object({
  position: z.string().regex(/^\d{1,20}$/),
  stream: z.string(),
  revision: z.string().regex(/^\d{1,20}$/),
  id: z.string(),
  type: z.string(),
  contentType: z.string(),
  metadata: bytes,
  data: bytes,
});

/** Returns an event as one line of JSON, without its line break. */
export const eventLine = ({ position, revision, metadata, data, ...event }: LoggedEvent): string =>
  JSON.stringify({
    position: String(position),
    revision: String(revision),
    ...event,
    metadata: written(metadata),
    data: written(data),
  });

/** Returns the event of a line; `undefined` for any other text. */
export const eventOf = (text: string): LoggedEvent | undefined => {
  const parsed = line.safeParse(parseJson(text)).data;
  return (
    parsed && {
      ...parsed,
      position: BigInt(parsed.position),
      revision: BigInt(parsed.revision),
      metadata: read(parsed.metadata),
      data: read(parsed.data),
    }
  );
};

const written = (content: Uint8Array): z.output<typeof bytes> =>
  isUtf8(content) ? Buffer.from(content).toString('utf8') : [Buffer.from(content).toString('base64')];

const read = (content: z.output<typeof bytes>): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content[0], 'base64');
