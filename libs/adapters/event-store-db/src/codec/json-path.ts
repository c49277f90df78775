import { isJsonObject, type Json, ownMember } from '@app/kernel';

/** Member names and list places, from the outside in. */
export type JsonPath = readonly (string | number)[];
/** A string with its place; `size` is its UTF-8, in bytes: as JSON it takes that or more. */
export type LongString = { readonly path: JsonPath; readonly text: string; readonly size: number };

/** All strings in `value` of at least `lengthMin` UTF-16 units; member names are not among them. */
export const longStringsOf = (value: Json | undefined, lengthMin: number): LongString[] => {
  const found: LongString[] = [];
  const path: (string | number)[] = [];
  const visitAt = (step: string | number, inner: Json | undefined): void => {
    if (typeof inner !== 'string' && typeof inner !== 'object') return;
    path.push(step);
    visit(inner);
    path.pop();
  };
  const visit = (inner: Json | undefined): void => {
    if (typeof inner === 'string') {
      if (inner.length < lengthMin) return;
      found.push({ path: [...path], text: inner, size: Buffer.byteLength(inner) });
    } else if (Array.isArray(inner)) {
      for (const [at, item] of inner.entries()) visitAt(at, item);
    } else if (isJsonObject(inner)) {
      for (const [key, member] of Object.entries(inner)) visitAt(key, member);
    }
  };
  visit(value);
  return found;
};

/** Returns `value` with `part` at the path; unchanged if the path does not exist. */
export const replaceAt = (value: Json, [step, ...rest]: JsonPath, part: Json): Json => {
  if (step === undefined) return part;
  if (Array.isArray(value))
    return value.map((item: Json, at) => (at === step ? replaceAt(item, rest, part) : item));
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replaceAt(ownMember(value, String(step)) ?? null, rest, part) };
};
