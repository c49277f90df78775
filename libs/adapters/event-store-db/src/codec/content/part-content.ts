import type { Erased } from '@app/domain';
import { ERASED_TEXT } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, ownMember, SubjectRef } from '@app/kernel';
import type { JsonPath } from '../json-path.js';
import { type ContentRule, SEALED } from './content-rules.js';

/** A content value and its place in an event. */
export type ContentPart = { readonly at: JsonPath; readonly value: Json };
/** Content of the same subjects, which the same keys protect. */
type ContentGroup = {
  readonly subjects: readonly SubjectRef[];
  readonly parts: readonly ContentPart[];
};
/** An event's data in two parts: the public one, and the encrypted content. */
export type Parted = { readonly data: JsonObject; readonly content: readonly ContentGroup[] };

/** Parts an event's data by the rules of its type. Without content, `data` is returned as it is. */
export const partContent = (data: JsonObject, rules: readonly ContentRule[]): Parted => {
  const groups = new Map<
    string,
    { readonly subjects: readonly SubjectRef[]; readonly parts: ContentPart[] }
  >();
  const parted = replaceContent(data, rules, (value, rule, at, owner) => {
    const reduced = rule.reduce(value, SEALED);
    if (reduced === value || isEmpty(value)) return value;
    const subjects = subjectsOf(owner, rule);
    const name = subjects.join();
    const group = groups.get(name) ?? { subjects, parts: [] };
    group.parts.push({ at, value });
    groups.set(name, group);
    return reduced;
  });
  return { data: parted, content: [...groups.values()] };
};

/**
 * Returns data in which content could not be opened because it was erased: a marker stands in its place, and each
 * object that held some says so in the member `erased`.
 *
 * @param restored the parts that were opened.
 */
export const withErased = (
  data: JsonObject,
  rules: readonly ContentRule[],
  restored: readonly ContentPart[],
  erased: Erased,
): JsonObject => {
  const known = new Set(restored.map(({ at }) => nameOf(at)));
  const owners: JsonPath[] = [];
  const marked = replaceContent(data, rules, (value, rule, at) => {
    if (known.has(nameOf(at)) || isEmpty(value)) return value;
    const reduced = rule.reduce(value, ERASED_TEXT);
    if (reduced !== value) owners.push(at.slice(0, rule.owner));
    return reduced;
  });
  // If a part of the content was removed entirely, only the whole can record that it was erased.
  if (owners.length === 0 && marked.opening === undefined) owners.push([]);
  let whole: Json = marked;
  for (const owner of owners) whole = setAt(whole, [...owner, 'erased'], erased) ?? whole;
  return isJsonObject(whole) ? whole : marked;
};

/** Handles a value that a rule finds, with the object that names its subjects. */
type Handle = (value: Json, rule: ContentRule, at: JsonPath, owner: JsonObject) => Json | undefined;

/** Returns data with each value that rules find replaced by the result of `handle`. Copies changed objects only. */
const replaceContent = (data: JsonObject, rules: readonly ContentRule[], handle: Handle): JsonObject => {
  let parted: Json = data;
  for (const rule of rules) parted = replacedIn(parted, rule, 0, [], data, handle) ?? parted;
  return isJsonObject(parted) ? parted : data;
};

const replacedIn = (
  value: Json,
  rule: ContentRule,
  depth: number,
  at: JsonPath,
  above: JsonObject,
  handle: Handle,
): Json | undefined => {
  const owner = depth === rule.owner && isJsonObject(value) ? value : above;
  const step = rule.path[depth];
  if (step === undefined) return handle(value, rule, at, owner);
  if (Array.isArray(value)) {
    if (step !== '*') return value;
    return value.map(
      (item: Json, index) => replacedIn(item, rule, depth + 1, [...at, index], owner, handle) ?? null,
    );
  }
  if (!isJsonObject(value)) return value;
  const member = ownMember(value, step);
  if (member === undefined) return value;
  const replaced = replacedIn(member, rule, depth + 1, [...at, step], owner, handle);
  if (replaced === member) return value;
  if (replaced !== undefined) return { ...value, [step]: replaced };
  const { [step]: _, ...rest } = value;
  return rest;
};

/** Returns the subjects of content; none of erased content, of which markers are left. */
const subjectsOf = (owner: JsonObject, { subjectsIn }: ContentRule): readonly SubjectRef[] => {
  const named = owner.erased === undefined ? owner[subjectsIn] : undefined;
  return Array.isArray(named) ? named.map((name) => SubjectRef(String(name))).sort() : [];
};

const nameOf = (at: JsonPath): string => JSON.stringify(at);

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
