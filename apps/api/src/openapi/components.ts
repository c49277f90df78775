import { invariant, isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import type { z } from 'zod';
import { type Direction, jsonSchemaOf } from '../http/json-schema.js';

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers';

const DEFINITIONS = '#/$defs/';
/** Members whose value is an example or a constant, not a schema. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example']);

/** Collects the components of a document; each name stands for one shape. */
export class Components {
  readonly #kinds: Record<Kind, Map<string, JsonObject>> = {
    schemas: new Map(),
    responses: new Map(),
    parameters: new Map(),
    headers: new Map(),
  };

  /** Returns a reference to the component `name`; `describe` creates it on the first reference. */
  refer(kind: Kind, name: string, describe: () => JsonObject): JsonObject {
    const known = this.#kinds[kind];
    if (!known.has(name)) {
      known.set(name, {}); // A component may refer to itself.
      known.set(name, describe());
    }
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Returns the JSON Schema of `shape`, in which shapes with an `id` are references. */
  schema(shape: z.ZodType, direction: Direction): JsonObject {
    const { $schema: _, $defs = {}, ...own } = jsonSchemaOf(shape, direction);
    for (const [name, definition] of Object.entries(isJsonObject($defs) ? $defs : {}))
      this.#define(name, this.#lifted(definition ?? {}));
    const lifted = this.#lifted(own);
    invariant(isJsonObject(lifted), 'a schema is an object');
    return lifted;
  }

  /** Returns a reference to `shape` under its own `id` or under `name`; a plain string schema stays inline. */
  named(name: string, shape: z.ZodType, direction: Direction): JsonObject {
    const schema = this.schema(shape, direction);
    if (typeof schema.$ref === 'string' || schema.type === 'string') return schema;
    this.#define(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  get all(): JsonObject {
    return Object.fromEntries(
      Object.entries(this.#kinds).map(([kind, known]) => [
        kind,
        Object.fromEntries([...known].sort(([one], [other]) => (one < other ? -1 : 1))),
      ]),
    );
  }

  #define(name: string, schema: Json): void {
    invariant(isJsonObject(schema), 'a schema is an object');
    const known = this.#kinds.schemas.get(name);
    invariant(
      !known || JSON.stringify(known) === JSON.stringify(schema),
      `two shapes have the name ${name}: ${JSON.stringify(known)} and ${JSON.stringify(schema)}`,
    );
    this.#kinds.schemas.set(name, schema);
  }

  /** Members may have the names of keywords. */
  #members(properties: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(properties).map(([name, shape]) => [name, this.#lifted(shape ?? {})]),
    );
  }

  /** Moves nested definitions to the components and rewrites references to them. */
  #lifted(value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#lifted(item));
    if (!isJsonObject(value)) return value;
    const { $defs = {}, $schema: _, ...rest } = value;
    for (const [name, definition] of Object.entries(isJsonObject($defs) ? $defs : {}))
      this.#define(name, this.#lifted(definition ?? {}));
    return Object.fromEntries(
      Object.entries(rest).map(([key, member]): [string, Json] => {
        if (key === '$ref' && typeof member === 'string')
          return [key, member.replace(DEFINITIONS, '#/components/schemas/')];
        if (key === 'properties' && isJsonObject(member)) return [key, this.#members(member)];
        return [key, VALUES.has(key) ? (member ?? null) : this.#lifted(member ?? null)];
      }),
    );
  }
}

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
