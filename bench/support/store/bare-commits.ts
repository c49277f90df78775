import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EventLog } from '../../../libs/embedded-event-store/src/log/event-log.js';
import { proposedEvent } from './events.js';
import { forgettingEngine } from './forgetting-engine.js';
import type { Load } from './writers.js';

/** Returns the bytes that the server stores for an append of one event. */
const bytesOfAppend = async (): Promise<number> => {
  let bytes = 0;
  const count = (buffer: Buffer | undefined): number => buffer?.length ?? 0;
  const log = new EventLog(
    forgettingEngine((puts) => {
      for (const { key, value } of puts) bytes += count(key) + count(value);
    }),
  );
  await log.append({ stream: 'bench-1', expected: { kind: 'any' }, events: [proposedEvent()] });
  return bytes;
};

/**
 * Measures the disk alone: writes and syncs the bytes of one append per writer, as often as they append. Appends per
 * second.
 */
export const bareCommits = async (folder: string, { writers, appends }: Load): Promise<() => number> => {
  const group = Buffer.alloc((await bytesOfAppend()) * writers, 1);
  return () => {
    const file = openSync(join(folder, `bare-${writers}`), 'w');
    const startedAt = performance.now();
    for (let at = 0; at < appends; at += 1) {
      writeSync(file, group);
      fdatasyncSync(file);
    }
    const milliseconds = performance.now() - startedAt;
    closeSync(file);
    return ((writers * appends) / milliseconds) * 1_000;
  };
};
