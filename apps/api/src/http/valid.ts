import { nearestOf, ownMember, Slices, truncate } from '@app/kernel';
import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { jsonSchemaOf } from './json-schema.js';
import { type Fault, InvalidRequest } from './problems.js';

/** Returns a pipe that validates a part of the request like {@link validated}. */
export const valid = <Schema extends z.ZodType>(
  schema: Schema,
): PipeTransform<unknown, Promise<z.output<Schema>>> => ({
  transform: (value) => validated(schema, value),
});

/** Returns a part of a request by its schema. @throws {InvalidRequest} which names faults and quotes no values. */
export const validated = async <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Promise<z.output<Schema>> => {
  const slices = new Slices();
  const parsed = schema.safeParse(value ?? {}, WORDING);
  if (slices.isOver) await slices.next();
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(parsed.error.issues.flatMap((issue) => faultsOf(issue)));
};

/**
 * Texts of issues: one line for each unknown field, the valid values, types and bounds of others, and zod's own for rare ones.
 */
const WORDING: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => {
    if (issue.code === 'invalid_value') return unknownValue(issue.input, issue.values);
    if (issue.code === 'invalid_type')
      return issue.input === undefined
        ? `missing: give ${nounOf(issue.expected)}`
        : `give ${nounOf(issue.expected)}${unlike(issue.expected, issue.input)}`;
    if (issue.code === 'invalid_union') return unmatched(issue);
    if (issue.code === 'invalid_key') return `name it differently: ${issue.issues[0]?.message}`;
    if (issue.code === 'too_small') return `give ${bound(issue, 'at least', 'above', issue.minimum)}`;
    if (issue.code === 'too_big') return `give ${bound(issue, 'at most', 'below', issue.maximum)}`;
    if (issue.code === 'invalid_format' && issue.format === 'datetime')
      return 'give a time such as 2026-11-21T09:30:00Z';
    if (issue.code === 'invalid_format' && issue.format === 'date') return 'give a day such as 2026-11-21';
    if (issue.code !== 'unrecognized_keys') return undefined;
    const { inst } = issue;
    const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
    return unknownFields(issue.keys, known).join('\n');
  },
};

/** zod's names of types that JSON has other names for. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['record', 'object'],
  ['int', 'whole number'],
]);

/** `a string`, `an object`. */
const nounOf = (type: string): string => {
  const name = TYPES.get(type) ?? type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
};

/** `, not a string`; nothing for another number than an expected one, such as a fraction. */
const unlike = (expected: string, given: unknown): string =>
  typeof given === 'number' && /^(?:int|number)$/.test(expected) ? '' : `, not ${typeOf(given)}`;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return nounOf(Array.isArray(value) ? 'array' : typeof value);
};

type Bounded = { readonly origin: string; readonly inclusive?: boolean | undefined };

/** `a number of at least 1`, `at most 64 characters`. */
const bound = (
  { origin, inclusive = true }: Bounded,
  within: string,
  beyond: string,
  limit: number | bigint,
): string => {
  const text = `${inclusive ? within : beyond} ${limit}`;
  if (origin === 'string') return `${text} ${limit === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `${text} ${limit === 1 ? 'item' : 'items'}`;
  return inclusive ? `a number of ${text}` : `a number ${text}`;
};

/** Returns the problem with a value of none of the types of a union: `give a string or a list, not null`. */
const unmatched = (issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined => {
  const { errors, input, discriminator } = issue;
  if (discriminator !== undefined && 'options' in issue && Array.isArray(issue.options))
    return unknownValue(ownMember(Object(input), discriminator), issue.options);
  const first = errors.flatMap(([one]) => one ?? []);
  const types = first.map((one) =>
    one.code === 'invalid_type' ? nounOf(one.expected) : one.message.replace(/^give /, ''),
  );
  const isTyped = first.some(({ code }) => code === 'invalid_type');
  const given = isTyped && input !== undefined ? `, not ${typeOf(input)}` : '';
  return `${input === undefined ? 'missing: ' : ''}give ${[...new Set(types)].join(' or ')}${given}`;
};

type Issue = z.core.$ZodIssue;

/** Returns the faults of an issue; for a union, those of the member that matches the value best. */
const faultsOf = (issue: Issue, above: readonly PropertyKey[] = []): readonly Fault[] => {
  const path = [...above, ...issue.path];
  const shapes = issue.code === 'invalid_union' ? issue.errors : [];
  const closest = shapes.reduce<readonly Issue[]>(
    (best, shape) => (depthOf(shape) > depthOf(best) ? shape : best),
    [],
  );
  if (closest.length > 0) return closest.flatMap((inner) => faultsOf(inner, path));
  if (issue.code !== 'unrecognized_keys') return [{ at: path.join('.'), problem: issue.message }];
  // One line for each field, as WORDING writes them.
  const fields = issue.keys.slice(0, NAMED_MAX);
  return issue.message
    .split('\n')
    .map((problem, at) => ({ at: [...path, ...fields.slice(at, at + 1)].join('.'), problem }));
};

/** Returns the depth of the first issue, 0 if the value as a whole does not match. */
const depthOf = ([first]: readonly Issue[]): number => first?.path.length ?? 0;

/** Unknown fields of one object that an error names. */
const NAMED_MAX = 5;
/** Known names up to which an error lists them all. */
const LISTED_MAX = 12;
/** Characters of an unknown name that an error quotes. */
const QUOTED_MAX = 64;

/**
 * Returns one line for each of the first {@link NAMED_MAX} unknown fields, with the nearest known field and, if there are at
 * most {@link LISTED_MAX}, all known fields; then one line with the number of the others.
 */
export const unknownFields = (unknown: readonly string[], known: readonly string[]): readonly string[] => {
  const listed = known.length > 0 && known.length <= LISTED_MAX ? `; known: ${known.join(', ')}` : '';
  const more = unknown.length - NAMED_MAX;
  return [
    ...unknown.slice(0, NAMED_MAX).map((name) => {
      const nearest = nearestOf(name, known);
      const suggestion = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      return `unknown field "${truncate(name, QUOTED_MAX).replace(/\s/g, ' ')}"${suggestion}${listed}`;
    }),
    ...(more > 0 ? [`${more} more unknown ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
};

/** Returns the problem with a value outside an enumeration; `undefined` leaves the text to zod where it has many values. */
const unknownValue = (given: unknown, values: readonly unknown[]): string | undefined => {
  const words = values.map(String);
  const nearest = typeof given === 'string' ? nearestOf(given, words) : undefined;
  if (nearest !== undefined) return `give one of ${words.join(', ')} (did you mean "${nearest}"?)`;
  if (words.length > LISTED_MAX) return undefined;
  return `${given === undefined ? 'missing: ' : ''}give ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;
};

/** Invalid items after which validation of a list stops: reporting a hundred thousand faults takes seconds. */
const WRONG_MAX = 20;

type Bounds = { readonly min?: number; readonly max?: number };

/** Returns a schema for lists of `item` that checks the length first and stops at {@link WRONG_MAX} invalid items. */
export const listOf = <Item extends z.ZodType>(item: Item, { min = 0, max }: Bounds = {}) => {
  const items = jsonSchemaOf(item, 'input');
  return z
    .unknown()
    .transform((given, context): z.output<Item>[] => {
      const refuse = (message: string, path: (string | number)[] = []): void =>
        context.addIssue({ code: 'custom', message, path });
      if (!Array.isArray(given)) refuse('give a list');
      else if (given.length < min) refuse(`give at least ${min}`);
      else if (max !== undefined && given.length > max) refuse(`give at most ${max}`);
      else return itemsIn(given, item, refuse);
      return z.NEVER;
    })
    .meta({
      type: 'array',
      items,
      ...(min > 0 && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    });
};

const itemsIn = <Item extends z.ZodType>(
  given: readonly unknown[],
  item: Item,
  refuse: (message: string, path: (string | number)[]) => void,
): z.output<Item>[] => {
  const found: z.output<Item>[] = [];
  let wrong = 0;
  for (const [at, one] of given.entries()) {
    const parsed = item.safeParse(one, WORDING);
    if (parsed.success) {
      found.push(parsed.data);
      continue;
    }
    for (const fault of parsed.error.issues.flatMap((issue) => faultsOf(issue)))
      refuse(fault.problem, fault.at === '' ? [at] : [at, fault.at]);
    wrong += 1;
    if (wrong === WRONG_MAX) break;
  }
  return found;
};
