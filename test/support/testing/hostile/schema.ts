import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Random } from '../fuzz/mutate.js';
import { below, chance, hugeJson, ODD_NAMES, oddJson, pick, textOf } from './values.js';

/** State of the generation of JSON from a schema. */
export type Making = {
  readonly random: Random;
  /** The share of places that deviate from the schema. */
  readonly oddShare: number;
  /** The document that resolves `$ref`. */
  readonly document: JsonObject;
  /** Returns a plausible value for a member of this name, as JSON; `undefined` if any value is. */
  readonly known: (name: string) => string | undefined;
};

/**
 * Returns JSON as text, which may contain texts that no value has: `1e400`, a duplicate member, `__proto__`. Mostly follows
 * `schema`.
 */
export const jsonFrom = (schema: Json | undefined, making: Making, name = '', depth = 0): string => {
  const { random, oddShare, known } = making;
  if (chance(0.003, random)) return hugeJson(random);
  if (chance(oddShare, random)) return oddJson(random);
  const sensible = chance(0.8, random) ? known(name) : undefined;
  if (sensible !== undefined) return sensible;
  if (!isJsonObject(schema) || depth > 12) return oddJson(random);
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return jsonFrom(referred($ref, making.document), making, name, depth + 1);
  const choices = [anyOf, oneOf, allOf].find(Array.isArray);
  if (Array.isArray(choices))
    return jsonFrom(choices[below(choices.length, random)], making, name, depth + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return JSON.stringify(schema.enum[below(schema.enum.length, random)] ?? null);
  return byType(schema, making, name, depth);
};

const byType = (schema: JsonObject, making: Making, name: string, depth: number): string => {
  const { random } = making;
  const { type } = schema;
  switch (Array.isArray(type) ? type[below(type.length, random)] : type) {
    case 'object':
      return objectFrom(schema, making, depth);
    case 'array': {
      const items = Array.from({ length: below(4, random) + (chance(0.8, random) ? 1 : 0) }, () =>
        jsonFrom(schema.items, making, `${name}[]`, depth + 1),
      );
      return `[${items.join()}]`;
    }
    case 'string':
      return JSON.stringify(
        CONTENT.has(name) ? textOf(random) : pick(chance(0.7, random) ? PLAIN : ODD_NAMES, random),
      );
    case 'integer':
      return String(bounded(schema, Math.floor(random() * 2_000)));
    case 'number':
      return String(bounded(schema, random() * 2));
    case 'boolean':
      return String(chance(0.5, random));
    case 'null':
      return 'null';
    default:
      return oddJson(random);
  }
};

/** Members that contain messages; others contain names, which errors may quote. */
const CONTENT: ReadonlySet<string> = new Set([
  ...['text', 'content', 'system', 'instructions', 'reason', 'message', 'value', 'description'],
]);
const PLAIN = ['x', 'a-b', '1', 'none', '2026-01-01', '2026-01-01T00:00:00.000Z'];

const bounded = ({ minimum, maximum }: JsonObject, value: number): number =>
  Math.min(
    typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY,
    Math.max(typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY, value),
  );

const objectFrom = (schema: JsonObject, making: Making, depth: number): string => {
  const { random, oddShare } = making;
  const { properties, required, additionalProperties } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) => {
    const isThere = needed.includes(name) ? !chance(oddShare / 2, random) : chance(0.4, random);
    return isThere ? [`${JSON.stringify(name)}:${jsonFrom(member, making, name, depth + 1)}`] : [];
  });
  const isOpen = properties === undefined || isJsonObject(additionalProperties);
  const more = (isOpen && chance(0.5, random)) || chance(oddShare, random) ? [oddMember(making, depth)] : [];
  return `{${[...members, ...more].join()}}`;
};

const oddMember = (making: Making, depth: number): string =>
  `${JSON.stringify(pick(ODD_NAMES, making.random))}:${jsonFrom({ type: 'string' }, making, '', depth + 1)}`;

const referred = (ref: string, document: JsonObject): Json | undefined =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>(
      (found, name) => (isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      document,
    );
