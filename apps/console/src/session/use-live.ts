import { useEffect } from 'preact/hooks';
import { api } from '../api.js';

/** Milliseconds without a further event after which a session is loaded anew. */
const PAUSE_MS = 400;

/** Calls `onChange` after events of a session have been recorded, as long as the component is shown. */
export const useLive = (session: string, onChange: () => void): void => {
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      for await (const _ of api().stream({ session, content: 'none' }, { signal: stop.signal })) {
        clearTimeout(timer);
        timer = setTimeout(onChange, PAUSE_MS);
      }
    };
    read().catch(() => undefined); // Without a stream, the page shows the session as it was loaded.
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [session]);
};
