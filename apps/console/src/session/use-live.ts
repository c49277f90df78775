import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.js';
import { recording } from '../offline.js';

/** Milliseconds after an event until a session is loaded anew: read models follow the log after a moment. */
const PAUSES_MS = [300, 1_500, 5_000] as const;
/** Milliseconds until a stream that the service did not open is asked for again. */
const RETRY_MS = 5_000;

/** Returns a number that grows after events of a session have been recorded. */
export const useLive = (session: string): number => {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const timers: (ReturnType<typeof setTimeout> | undefined)[] = [];
    let retry: ReturnType<typeof setTimeout>;
    const refresh = (): void =>
      PAUSES_MS.forEach((pause, at) => {
        // The first load waits for no later event: a busy session would never be loaded.
        if (at === 0 && timers[at] !== undefined) return;
        clearTimeout(timers[at]);
        timers[at] = setTimeout(() => {
          timers[at] = undefined;
          setRound((before) => before + 1);
        }, pause);
      });
    const read = async (): Promise<void> => {
      try {
        for await (const _ of api().stream({ session, content: 'none' }, { signal: stop.signal })) refresh();
      } catch {
        if (stop.signal.aborted) return;
        retry = setTimeout(() => {
          refresh(); // Events may have been recorded in the meantime.
          void read();
        }, RETRY_MS);
      }
    };
    if (!recording) void read();
    return () => {
      stop.abort();
      for (const timer of [...timers, retry]) clearTimeout(timer);
    };
  }, [session]);
  return round;
};
