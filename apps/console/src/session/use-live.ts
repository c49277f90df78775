import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.js';

/** Milliseconds after an event until a session is loaded anew: read models follow the log after a moment. */
const PAUSES_MS = [300, 1_500, 5_000] as const;

/** Returns a number that grows after events of a session have been recorded. */
export const useLive = (session: string): number => {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timers: ReturnType<typeof setTimeout>[] = [];
    const read = async (): Promise<void> => {
      for await (const _ of api().stream({ session, content: 'none' }, { signal: stop.signal })) {
        for (const timer of timers) clearTimeout(timer);
        timers = PAUSES_MS.map((pause) => setTimeout(() => setRound((before) => before + 1), pause));
      }
    };
    read().catch(() => undefined); // Without a stream, the page shows the session as it was loaded.
    return () => {
      stop.abort();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [session]);
  return round;
};
