import { canonicalJson } from '@app/kernel';
import type { SessionDescription } from './events.js';
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
