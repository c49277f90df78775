import { setMaxListeners } from 'node:events';
import type { PalimpsestClient } from '@app/client';

const EVENTS = 20;

/** Returns the milliseconds from the answer to an append until each of many readers has its event. */
export const fanOut = async (
  client: PalimpsestClient,
  readers: number,
  session: string,
): Promise<readonly number[]> => {
  await client.sessions.open({ session });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // Each reader is a listener.
  const sentAt = new Map<string, number>();
  const took: number[] = [];
  const wanted = readers * EVENTS;
  let finished = (): void => {};
  const all = new Promise<void>((resolve) => {
    finished = resolve;
  });
  let open = 0;
  let opened = (): void => {};
  const everybody = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const read = async (): Promise<void> => {
    const filter = { session, from: 'start' } as const;
    for await (const { type, revision } of client.stream(filter, { signal: stop.signal })) {
      if (type === 'SessionOpened') {
        open += 1;
        if (open === readers) opened();
      }
      const at = sentAt.get(`${revision}`);
      if (type !== 'MessageAppended' || at === undefined) continue;
      took.push(performance.now() - at);
      if (took.length === wanted) finished();
    }
  };
  const reading = Array.from({ length: readers }, () =>
    read().catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    }),
  );
  await everybody;
  for (let at = 1; at <= EVENTS; at += 1) {
    sentAt.set(`${at}`, performance.now());
    await client.sessions.append(session, { messages: [{ role: 'user', content: `Event ${at}.` }] });
  }
  await all;
  stop.abort();
  await Promise.all(reading);
  return took;
};
