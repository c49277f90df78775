import type { JsonObject } from '@app/kernel';
import { defined } from '@app/kernel';
import type { DraftMessage } from '../../drafts/draft.js';
import { stringIn, timeFrom } from '../../drafts/members.js';

/** Returns the id and time of an event for its message. */
export const originOf = (event: JsonObject): Pick<DraftMessage, 'id' | 'createdAt'> => {
  const id = stringIn(event, 'id');
  const createdAt = timeFrom(event.timestamp);
  return defined({ id, createdAt });
};
