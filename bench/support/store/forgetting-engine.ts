import type { Engine, Put } from '../../../libs/embedded-event-store/src/storage/engine.js';

/**
 * A storage engine that answers at once and keeps nothing but where streams stand, without which a second append to one
 * could not be decided. What a server does on it is all that it does beside storing. `tell` sees what would be stored.
 */
export const forgettingEngine = (tell: (puts: readonly Put[]) => void = () => {}): Engine => {
  const heads = new Map<string, Buffer>();
  return {
    get: (table, key) => (table === 'heads' ? heads.get(key.toString('latin1')) : undefined),
    scan: () => [],
    commit: async (puts) => {
      tell(puts);
      for (const { table, key, value } of puts)
        if (table === 'heads' && value) heads.set(key.toString('latin1'), value);
    },
    close: async () => {},
  };
};
