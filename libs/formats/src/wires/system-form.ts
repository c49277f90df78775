import type { JsonObject } from '@app/kernel';
import { type ClientRequest, isSystemForm } from './wire.js';

/** Returns the form of a system prompt of one text: instructions, or the only item at the head of the history. */
export const systemFormOf = (
  head: readonly JsonObject[],
  hasInstructions: boolean,
): Pick<ClientRequest, 'systemAs'> => {
  if (hasInstructions) return head.length === 0 ? { systemAs: 'instructions' } : {};
  const [only, ...more] = head;
  const role = only && more.length === 0 && typeof only.role === 'string' ? only.role : undefined;
  return isSystemForm(role) ? { systemAs: role } : {};
};
