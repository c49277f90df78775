import { type JsonObject, ownMember } from '@app/kernel';
import type { Components } from './components.js';

const seconds: JsonObject = { type: 'integer', minimum: 0 };
const count: JsonObject = { type: 'integer', minimum: 0 };
const text: JsonObject = { type: 'string' };

/** Every header of an answer, by its name. */
const HEADERS: Readonly<Record<string, JsonObject>> = {
  'X-Request-Id': { description: 'ID of the request: the caller’s own, or a new one', schema: text },
  ETag: {
    description: 'Revision of the session, in quotes',
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  Location: {
    description: 'Path of the requested compaction',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt',
    schema: { ...seconds, minimum: 1 },
  },
  'RateLimit-Limit': {
    description: 'The limit with the smallest remainder, in requests or tokens',
    schema: count,
  },
  'RateLimit-Remaining': { description: 'Requests or tokens left of that limit', schema: count },
  'RateLimit-Reset': { description: 'Seconds until that limit is full again', schema: seconds },
  'Idempotency-Replayed': {
    description: '`true` if the answer repeats that of the first request with this `Idempotency-Key`',
    schema: { const: 'true' },
  },
  'WWW-Authenticate': { description: 'The authentication scheme', schema: text },
};

/** Returns references to headers by their names. */
export const headerRefs = (components: Components, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.map((name) => [
      name,
      components.refer('headers', name.replace(/\W/g, ''), () => ownMember(HEADERS, name) ?? {}),
    ]),
  );
