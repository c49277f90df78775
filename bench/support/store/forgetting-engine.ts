import type { Engine, Put } from '../../../libs/embedded-event-store/src/storage/engine.js';

/**
 * A storage engine that answers at once and keeps only stream heads, which the next append needs. Measures everything
 * that a server does besides storing. `tell` receives the puts.
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
