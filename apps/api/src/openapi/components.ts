import { invariant, isJsonObject, type Json, type JsonObject } from '@app/kernel';
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
