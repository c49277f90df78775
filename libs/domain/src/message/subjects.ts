import { type Actor, type ErasureId, type IsoTime, type SubjectRef, Tokens } from '@app/kernel';
import { type Block, blockFrom, markedBlock, textBlock } from './blocks.js';

/** The scope of an erasure: one data subject in all sessions, one session, or everything of a tenant. */
export type ErasureScope = 'subject' | 'session' | 'tenant';

/** Stands where content was, once it is erased. */
export type Erased = {
  readonly by: Actor;
  readonly at: IsoTime;
  readonly erasure: ErasureId;
  readonly scope: ErasureScope;
};

/** Text in the place of erased content, in contexts and wherever a text is required. */
export const ERASED_TEXT = '[erased]';

/** Returns a block as it reads once it is erased. */
export const erasedBlock = (block: Block): Block =>
  blockFrom(markedBlock(block, ERASED_TEXT)) ?? textBlock(ERASED_TEXT);

/** Counted tokens of one block of an erased message at most: a marker, or a call with its id and name. */
export const ERASED_TOKENS = Tokens(40);

/** Data subjects of the content in an object of an event. Content without subjects belongs to the session alone. */
export type OfSubjects = {
  /** Each once, sorted; absent for none. */
  readonly subjects?: readonly SubjectRef[];
  /** Set by the reader of the log if any of the object's content was erased, and never by its writer. */
  readonly erased?: Erased;
};

/** Returns the subjects of the readable content of an object. */
export const subjectsIn = ({ subjects, erased }: OfSubjects): readonly SubjectRef[] =>
  erased ? NONE : (subjects ?? NONE);
const NONE: readonly SubjectRef[] = [];

/** Returns all subjects of several lists, each once, sorted. */
export const allSubjects = (lists: Iterable<readonly SubjectRef[] | undefined>): readonly SubjectRef[] => {
  let all: Set<SubjectRef> | undefined;
  for (const list of lists) {
    if (!list || list.length === 0) continue;
    all ??= new Set();
    for (const subject of list) all.add(subject);
  }
  return all ? [...all].sort() : NONE;
};

/** Returns an object with these subjects; unchanged for none. */
export const withSubjects = <One extends OfSubjects>(one: One, subjects: readonly SubjectRef[]): One => {
  if (subjects.length > 0) return { ...one, subjects };
  if (!one.subjects) return one;
  const { subjects: _, ...rest } = one;
  return rest as One; // Only an optional member is gone.
};
