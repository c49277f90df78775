import type { KeyId } from '@app/kernel';
import type { TenantEvent } from './events.js';
import { evolve } from './evolve.js';
import type { ApiKey, TenantState } from './state.js';

type Placed = { readonly event: TenantEvent };

/**
 * Folds events with `evolve` in linear time: only the number of keys is unlimited, so that keys are looked up by id,
 * and a key event is folded into a tenant with that key alone.
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

/** Returns the keys that an event concerns; empty for other events. */
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
