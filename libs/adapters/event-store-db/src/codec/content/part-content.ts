import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import type { JsonPath } from '../json-path.js';
import type { ContentRule } from './content-rules.js';

/** A content value and its place in an event. */
export type ContentPart = { readonly at: JsonPath; readonly value: Json };
/** An event's data in two: what everyone may see, and what its key protects. */
export type Parted = { readonly data: JsonObject; readonly content: readonly ContentPart[] };

/** Parts an event's data by the rules of its type. Without content, `data` is returned as it is. */
export const partContent = (data: JsonObject, rules: readonly ContentRule[]): Parted => {
  const content: ContentPart[] = [];
  const reducedAt = (
    value: Json,
    { path, reduce }: ContentRule,
    depth: number,
    at: JsonPath,
  ): Json | undefined => {
    const step = path[depth];
    if (step === undefined) {
      const reduced = reduce(value);
      if (reduced === value || isEmpty(value)) return value;
      content.push({ at, value });
      return reduced;
    }
    const rule = { path, reduce };
    if (Array.isArray(value)) {
      if (step !== '*') return value;
      return value.map((item: Json, index) => reducedAt(item, rule, depth + 1, [...at, index]) ?? null);
    }
    if (!isJsonObject(value)) return value;
    const member = ownMember(value, step);
    if (member === undefined) return value;
    const reduced = reducedAt(member, rule, depth + 1, [...at, step]);
    if (reduced === member) return value;
    if (reduced !== undefined) return { ...value, [step]: reduced };
    const { [step]: _, ...rest } = value;
    return rest;
  };
  let parted: Json = data;
  for (const rule of rules) parted = reducedAt(parted, rule, 0, []) ?? parted;
  return { data: isJsonObject(parted) ? parted : data, content };
};

/** Empty values tell nothing, and stay as they are. */
const isEmpty = (value: Json): boolean =>
  value === '' ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0);

/** Puts content back where {@link partContent} took it from; `undefined` if a place does not exist. */
export const withContent = (data: JsonObject, content: readonly ContentPart[]): JsonObject | undefined => {
  let whole: Json | undefined = data;
  for (const { at, value } of content) {
    whole = whole === undefined ? undefined : setAt(whole, at, value);
  }
  return isJsonObject(whole) ? whole : undefined;
};

/** Copies along the path only. The last step may name a member that was removed. */
const setAt = (target: Json, [step, ...rest]: JsonPath, value: Json): Json | undefined => {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    const item: Json | undefined = typeof step === 'number' ? target[step] : undefined;
    const changed = item === undefined ? undefined : setAt(item, rest, value);
    if (changed === undefined) return undefined;
    return target.map((other: Json, index) => (index === step ? changed : other));
  }
  if (!isJsonObject(target) || typeof step === 'number') return undefined;
  const member = ownMember(target, step);
  if (member === undefined && rest.length > 0) return undefined;
  const changed = rest.length === 0 ? value : setAt(member ?? null, rest, value);
  return changed === undefined ? undefined : { ...target, [step]: changed };
};
