import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { Appender } from '../connection/appender.js';
import { Connection } from '../connection/connection.js';
import { isGap } from '../events/gap.js';
import type { RawEvent } from '../events/raw-event.js';
import { copiedEvents } from './copied-events.js';
import { Deletions } from './deletions.js';
import { Heads } from './heads.js';
import { TargetWriter } from './target-writer.js';

const event = (stream: string, revision: number): RawEvent => ({
  stream,
  revision: BigInt(revision),
  id: randomUUID(),
  type: 'Counted',
  contentType: 'application/json',
  metadata: new Uint8Array(),
  data: Buffer.from(String(revision)),
});

describe('target writer', () => {
  let dataDir: string;
  let server: SpawnedEventStore;
  let target: Connection;
  let appender: Appender;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'event-store-'));
    server = await spawnEventStore({ dataDir });
    target = Connection.open('target', server.url);
    appender = await Appender.open(target);
  });
  afterAll(async () => {
    appender.close();
    await target.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  /** A writer with an empty cache, as after a restart. */
  const writer = (fillGaps = false): TargetWriter =>
    new TargetWriter(target, appender, new Heads(), new Deletions(), fillGaps);
  const write = async (to: TargetWriter, ...events: RawEvent[]): Promise<void> => {
    for (const each of events) await to.write(each);
    await to.finish();
  };
  const stored = async (stream: string): Promise<RawEvent[]> => {
    const events: RawEvent[] = [];
    for await (const each of copiedEvents(target)) if (each.stream === stream) events.push(each);
    return events;
  };

  it('reads the revision of an uncached stream from the target', async () => {
    await write(writer(), event('known', 0), event('known', 1));
    await write(writer(), event('known', 2), event('other', 0), event('known', 3));
    expect((await stored('known')).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n]);
  });

  it('rejects a stream that lost its first or middle events', async () => {
    const incomplete = { code: 'copy-incomplete', message: expect.stringContaining('lost') };
    await expect(write(writer(), event('begun-late', 2))).rejects.toMatchObject(incomplete);
    await expect(write(writer(), event('torn', 0), event('torn', 2))).rejects.toMatchObject(incomplete);
    expect(await stored('begun-late')).toEqual([]);
  });

  it('fills lost events if configured, also after an interruption', async () => {
    const late = event('filled', 3);
    await write(writer(true), late);
    const events = await stored('filled');
    expect(events.map(isGap)).toEqual([true, true, true, false]);
    expect(events[3]).toEqual({ ...late, data: new Uint8Array(late.data), position: expect.any(BigInt) });
    await write(writer(true), event('filled', 4));
    const again = writer(true);
    await write(again, event('filled', 1_500));
    expect(again.filled).toBe(1_495);
    expect((await stored('filled')).at(-1)?.revision).toBe(1_500n);
  });

  it('rejects a stream with more events than the source', async () => {
    await write(writer(), event('ahead', 0), event('ahead', 1));
    await expect(write(writer(), event('ahead', 1))).rejects.toMatchObject({ code: 'copy-diverged' });
    await expect(write(writer(), event('ahead', 0))).rejects.toMatchObject({ code: 'copy-diverged' });
  });

  it('names the stream of an event that the target rejects', async () => {
    const large = { ...event('large', 0), data: new Uint8Array(2 ** 20 + 1) };
    await expect(write(writer(), event('before', 0), large, event('behind', 0))).rejects.toMatchObject({
      code: 'append-too-large',
      message: expect.stringContaining('large'),
    });
    expect([await stored('before'), await stored('behind')].map(({ length }) => length)).toEqual([1, 0]);
  });
});
