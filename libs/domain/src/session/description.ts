import { canonicalJson, type SubjectRef } from '@app/kernel';
import { allSubjects, subjectsIn } from '../message/index.js';
import type { Entry } from './entry.js';
import type { SessionDescription } from './events.js';
import { mapGrown } from './grow.js';
import type { OpenSession } from './state.js';

/** Returns the description alone, of an event that has more fields. */
export const descriptionIn = ({
  title,
  project,
  labels,
  customer,
  subjects,
  erased,
}: SessionDescription): SessionDescription => ({
  ...(title !== undefined && { title }),
  ...(project !== undefined && { project }),
  labels,
  ...(customer && { customer }),
  ...(subjects && { subjects }),
  ...(erased && { erased }),
});

/** Whether the description differs from the one that the session was opened with. */
export const isRedescribed = ({
  opened,
  description,
}: Pick<OpenSession, 'opened' | 'description'>): boolean =>
  canonicalJson(descriptionIn(opened)) !== canonicalJson(description);

/** The parts of a session that can hold content. */
type Holding = Pick<OpenSession, 'opened' | 'description' | 'pivot' | 'pins' | 'leadingSystem' | 'entries'>;

/** Returns the subjects of everything that a session holds: its opening, its messages, its summary and its pins. */
export const contextSubjects = (session: Holding): readonly SubjectRef[] => {
  const { opened, description, pivot, pins, leadingSystem, entries } = session;
  const others = [opened, description, ...(pivot ? [pivot] : []), ...pins];
  return allSubjects([
    ...others.map(subjectsIn),
    ...leadingSystem.map(({ message }) => subjectsIn(message)),
    ...subjectsOfEach(entries),
  ]);
};

const subjectsOfEach = mapGrown(({ message }: Entry) => subjectsIn(message));
