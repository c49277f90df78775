import type { KeyId } from '@app/kernel';
import type { TenantEvent } from './events.js';
import { evolve } from './evolve.js';
import type { ApiKey, TenantState } from './state.js';

type Placed = { readonly event: TenantEvent };

/**
 * `evolve` for one event after the other, in linear time: of all that a tenant has, its keys alone are without limit, and
 * they are looked up by their ids. An event about keys is folded into a tenant that has those keys alone.
 */
export const fold = (start: TenantState, events: readonly Placed[]): TenantState => {
  let state = start;
  let keys: Map<KeyId, ApiKey> | undefined;
  for (const placed of events) {
    const ids = keysOf(placed.event);
    if (ids.length === 0 || state.status !== 'registered') {
      state = evolve(state, placed);
      continue;
    }
    keys ??= new Map(state.keys.map((key) => [key.keyId, key]));
    const known = keys;
    const own = ids.flatMap((id) => known.get(id) ?? []);
    const after = evolve({ ...state, keys: own }, placed);
    if (after.status === 'registered') for (const key of after.keys) keys.set(key.keyId, key);
  }
  return keys && state.status === 'registered' ? { ...state, keys: [...keys.values()] } : state;
};

/** The keys that an event is about; none of one about anything else. */
const keysOf = ({ type, data }: TenantEvent): readonly KeyId[] => {
  switch (type) {
    case 'ApiKeyIssued':
      return [data.key.keyId];
    case 'ApiKeyRotated':
      return [data.keyId, data.replacement.keyId];
    case 'ApiKeyRevoked':
      return [data.keyId];
    default:
      return [];
  }
};
