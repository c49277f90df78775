import { z } from 'zod';
import { jsonSchemaOf } from './json-schema.js';
import { faultsOf, WORDING } from './valid.js';

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
