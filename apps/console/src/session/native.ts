import { api } from '../api.js';
import { useResource } from '../parts/resource.js';

/** Returns the provider that alone can read the summary of the compaction that ended at a revision; else `undefined`. */
export const useNative = (session: string, revision: number | undefined): string | undefined => {
  const event = useResource(
    async (signal) =>
      revision === undefined
        ? undefined
        : (await api().sessions.eventWindow(session, { from: revision, limit: 1, signal }))[0],
    [session, revision],
  );
  const native = event.value?.data.native;
  return native && typeof native === 'object' && 'provider' in native ? String(native.provider) : undefined;
};
