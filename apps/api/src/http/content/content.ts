import type { KeyPermission } from '@app/domain';
import { AppError, isJsonObject, type Json, ownMember } from '@app/kernel';
import type { Principal } from '@app/ports';

/** Shows the text that people and models wrote. */
export const CONTENT_READ: KeyPermission = 'content:read';

/** By it a caller says why they read text. */
export const REASON_HEADER = 'x-palimpsest-reason';
/** Characters. */
export const REASON_MAX = 500;

/**
 * The text of messages, summaries and pins in the answer of an endpoint. Every endpoint says what it has, since a key
 * without the permission `content:read` is shown none of it, and each answer that has any is recorded as a read.
 *
 * - `none`: no text, but what this very request brought.
 * - `text`: nothing else. A key without the permission is refused.
 * - `request`: the next request of a model. `RequestComposed` records who composed it, in place of a read. A key without
 *   the permission is refused.
 * - `streamed`: as it is read. The handler leaves text out and records the read itself.
 * - `in`: beside facts, in these members, such as `pins[].text`. They are left out for a key without the permission, and
 *   `withheld` stands beside them with their names.
 */
export type ContentOfAnswer =
  | 'none'
  | 'text'
  | 'request'
  | 'streamed'
  | { readonly in: readonly [string, ...string[]] };

export const mayReadContent = ({ permissions }: Pick<Principal, 'permissions'>): boolean =>
  permissions.includes(CONTENT_READ);

/** The refusal of a key that lacks the permission. */
export const contentForbidden = (instead = ''): AppError =>
  new AppError(
    'content-forbidden',
    `this key may not read content: use one with the permission ${CONTENT_READ} ` +
      `(\`palimpsest keys add --permission ${CONTENT_READ}\`)${instead}`,
  );

/** Whether `answer` has text in any of the members `paths`. */
export const holdsContent = (answer: Json, paths: readonly string[]): boolean =>
  paths.some((path) => holders(answer, stepsOf(path)).length > 0);

/** `answer` without the members `paths`; each object that had one of them has their names as `withheld`. */
export const withoutContent = (answer: Json, paths: readonly string[]): Json => {
  const copy = structuredClone(answer);
  for (const path of paths) {
    const steps = stepsOf(path);
    const name = steps.at(-1) ?? '';
    for (const holder of holders(copy, steps)) {
      Reflect.deleteProperty(holder, name);
      const { withheld } = holder;
      holder.withheld = [...(Array.isArray(withheld) ? withheld : []), name];
    }
  }
  return copy;
};

type Holder = { [name: string]: Json | undefined };

/** `a.b[].c` as `a`, `b`, `[]`, `c`. */
const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');

/** The objects in `value` that have something in the member that `steps` lead to. */
const holders = (value: Json | undefined, [step = '', ...rest]: readonly string[]): readonly Holder[] => {
  if (step === '[]') return Array.isArray(value) ? value.flatMap((one: Json) => holders(one, rest)) : [];
  if (value === undefined || !isJsonObject(value)) return [];
  const member = ownMember(value, step);
  if (rest.length > 0) return holders(member, rest);
  // Of a JSON object that was just cloned or is only looked at, every member may be written.
  return member === undefined || member === null ? [] : [value as Holder];
};
