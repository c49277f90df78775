import type { KeyPermission } from '@app/domain';
import { AppError, isJsonObject, type Json, ownMember } from '@app/kernel';
import type { Principal } from '@app/ports';

/** Permission to read text written by people and models. */
export const CONTENT_READ: KeyPermission = 'content:read';

/** Request header with the caller's reason for reading text. */
export const REASON_HEADER = 'x-palimpsest-reason';
/** Request header that gives up the permission to read text for one request: `none`. */
export const CONTENT_HEADER = 'x-palimpsest-content';
/** Characters. */
export const REASON_MAX = 500;

/**
 * Where the answer of an endpoint has text of messages, summaries and pins. Every endpoint declares it: a key without the
 * permission `content:read` receives no text, and each answer with text is recorded as a read.
 *
 * - `none`: no text, except text that this request sent.
 * - `text`: the whole answer is text. Keys without the permission are rejected.
 * - `request`: the answer is a provider request. `RequestComposed` records the caller, in place of a read. Keys without the
 *   permission are rejected.
 * - `streamed`: the handler itself removes text and records the read.
 * - `in`: these members are text, such as `pins[].text`. For keys without the permission they are removed, and the sibling
 *   member `withheld` lists their names.
 */
export type ContentOfAnswer =
  | 'none'
  | 'text'
  | 'request'
  | 'streamed'
  | { readonly in: readonly [string, ...string[]] };

export const mayReadContent = ({ permissions }: Pick<Principal, 'permissions'>): boolean =>
  permissions.includes(CONTENT_READ);

/** Returns the error for a key without the permission. `instead` names an alternative. */
export const contentForbidden = (instead = ''): AppError =>
  new AppError(
    'content-forbidden',
    `this key may not read content: use one with the permission ${CONTENT_READ} ` +
      `(\`palimpsest keys add --permission ${CONTENT_READ}\`)${instead}`,
  );

/** Whether `answer` has text in any of the members `paths`. */
export const holdsContent = (answer: Json, paths: readonly string[]): boolean =>
  paths.some((path) => holders(answer, stepsOf(path)).length > 0);

/** Returns `answer` without the members `paths`; each object that had any of them lists their names as `withheld`. */
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

/** Splits `a.b[].c` into `a`, `b`, `[]`, `c`. */
const stepsOf = (path: string): readonly string[] =>
  path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');

/** Returns the objects in `value` whose member at `steps` is neither absent nor `null`. */
const holders = (value: Json | undefined, [step = '', ...rest]: readonly string[]): readonly Holder[] => {
  if (step === '[]') return Array.isArray(value) ? value.flatMap((one: Json) => holders(one, rest)) : [];
  if (value === undefined || !isJsonObject(value)) return [];
  const member = ownMember(value, step);
  if (rest.length > 0) return holders(member, rest);
  // The cast makes members writable: callers pass a clone, or only read.
  return member === undefined || member === null ? [] : [value as Holder];
};
