import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  BACKWARDS,
  END,
  jsonEvent,
  type ResolvedEvent,
  StreamNotFoundError,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
} from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder, useContractServer } from './support/contract-server.js';
import { collect } from './support/events.js';
import { consumeStream } from './support/groups.js';

const server = useContractServer();
const ALL = ['$by_category', '$by_event_type', '$by_correlation_id', '$stream_by_category', '$streams'];

/** Returns the targets of a stream's links. */
const linked = async (stream: string): Promise<string[]> => {
  const links = await collect(server.client.readStream(stream, { resolveLinkTos: true }));
  return links.map(({ event, link }) =>
    link ? `${event?.revision}@${event?.streamId}` : String(event?.type),
  );
};
/** Links are written with the append, or later by a projection that runs beside the log. */
const eventually = async (stream: string, wanted: readonly string[]): Promise<void> => {
  for (let found: string[] = []; JSON.stringify(found) !== JSON.stringify(wanted); ) {
    found = await linked(stream).catch((error: unknown) => {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    });
    if (found.length > wanted.length) expect(found).toEqual(wanted);
  }
};
/** Returns the links of `$streams` whose text contains `part`, once there are `count`. */
const firstsOf = async (part: string, count: number): Promise<string[]> => {
  const options = { direction: BACKWARDS, fromRevision: END, maxCount: 200 } as const;
  for (;;) {
    const newest = await collect(server.client.readStream('$streams', options));
    const found = newest.map(textOf).filter((target) => target.includes(part));
    if (found.length >= count) return found.reverse();
    await pause(20);
  }
};
const textOf = ({ event: reference }: ResolvedEvent): string =>
  reference?.data instanceof Uint8Array ? Buffer.from(reference.data).toString('utf8') : '';
const unique = (): string => randomUUID().replaceAll('-', '');
const event = (type: string, metadata?: object) =>
  jsonEvent({ type, data: {}, ...(metadata && { metadata }) });

beforeAll(async () => {
  for (const name of ALL) await server.client.enableProjection(name);
});

describe('system projections', () => {
  it('link events with the longest names, also if the name of the links’ stream is longer', async () => {
    const category = unique().padEnd(1_498, 'c');
    const type = unique().padEnd(3_000, 't');
    await server.client.appendToStream(`${category}-1`, event(type));
    await eventually(`$ce-${category}`, [`0@${category}-1`]);
    await eventually(`$et-${type}`, [`0@${category}-1`]);
  });

  it('link the events of a category', async () => {
    const category = unique();
    await server.client.appendToStream(`${category}-1`, [event('A'), event('B')]);
    await server.client.appendToStream(`${category}-2`, event('A'));
    await server.client.appendToStream(`${category}-1`, event('A'));
    await eventually(`$ce-${category}`, [
      `0@${category}-1`,
      `1@${category}-1`,
      `0@${category}-2`,
      `2@${category}-1`,
    ]);
    const [first] = await collect(server.client.readStream(`$ce-${category}`, { resolveLinkTos: true }));
    expect(first?.link?.type).toBe('$>');
    expect(first?.link?.metadata).toMatchObject({ $causedBy: first?.event?.id, $o: `${category}-1` });
  });

  it('end a category at the first dash', async () => {
    const category = unique();
    await server.client.appendToStream(`${category}-one-more`, event('A'));
    await server.client.appendToStream(`-${category}`, event('A'));
    await eventually(`$ce-${category}`, [`0@${category}-one-more`]);
    await expect(linked('$ce-')).rejects.toBeInstanceOf(StreamNotFoundError);
  });

  it('link the events of a type and of a correlation id', async () => {
    const [type, correlation, stream] = [unique(), randomUUID(), unique()];
    await server.client.appendToStream(stream, [
      event(type),
      event('other', { $correlationId: correlation }),
      event(type, { $correlationId: correlation }),
      event(type, { $correlationId: 7 }),
    ]);
    await eventually(`$et-${type}`, [`0@${stream}`, `2@${stream}`, `3@${stream}`]);
    await eventually(`$bc-${correlation}`, [`1@${stream}`, `2@${stream}`]);
  });

  it('list the streams of a category, and link the first event of every stream', async () => {
    const category = unique();
    for (const id of [1, 2])
      await server.client.appendToStream(`${category}-${id}`, [event('A'), event('A')]);
    await eventually(`$category-${category}`, ['$@', '$@']);
    const named = await collect(server.client.readStream(`$category-${category}`));
    expect(named.map(textOf)).toEqual([`${category}-1`, `${category}-2`]);
    // Excludes link streams, which projections write.
    expect(await firstsOf(category, 2)).toEqual([`0@${category}-1`, `0@${category}-2`]);
  });

  it('link stream deletions', async () => {
    const category = unique();
    await server.client.appendToStream(`${category}-1`, event('A'));
    await server.client.deleteStream(`${category}-1`);
    await eventually(`$ce-${category}`, [`undefined@undefined`, `0@$$${category}-1`]);
  });

  it('link earlier events after they are started again', async () => {
    const category = unique();
    const append = (count: number) =>
      server.client.appendToStream(
        `${category}-1`,
        Array.from({ length: count }, () => event('A')),
      );
    await append(2);
    await server.client.disableProjection('$by_category');
    await append(700);
    await server.client.enableProjection('$by_category');
    await append(3);
    await eventually(
      `$ce-${category}`,
      Array.from({ length: 705 }, (_, n) => `${n}@${category}-1`),
    );
  });

  it('are listed with their state', async () => {
    const projections = await server.client.listProjections();
    expect(projections.map(({ name }) => name)).toEqual(expect.arrayContaining(ALL));
    await server.client.disableProjection('$by_correlation_id');
    const { projectionStatus, name } = await server.client.getProjectionStatus('$by_correlation_id');
    expect({ name, projectionStatus }).toEqual({ name: '$by_correlation_id', projectionStatus: 'Stopped' });
    await server.client.enableProjection('$by_correlation_id');
    expect((await server.client.getProjectionStatus('$by_correlation_id')).projectionStatus).toBe('Running');
    expect(await server.client.getProjectionState('$by_category')).toEqual({});
  });

  it('can be aborted and stopped', async () => {
    await server.client.abortProjection('$by_correlation_id');
    const { projectionStatus } = await server.client.getProjectionStatus('$by_correlation_id');
    expect(projectionStatus).toBe('Aborted');
    await server.client.enableProjection('$by_correlation_id');
    expect((await server.client.getProjectionStatus('$by_correlation_id')).projectionStatus).toBe('Running');
  });

  it('reject unknown names', async () => {
    // EventStoreDB 24 answers NOT_FOUND, 23.10 UNKNOWN with this text.
    await expect(server.client.getProjectionStatus('none')).rejects.toThrow(/not_?found/i);
    await expect(server.client.enableProjection('none')).rejects.toThrow(/not_?found/i);
  });
});

// EventStoreDB links with a delay, which decides whether a group from the end starts before a link.
describeEmbedded('projection that is started', () => {
  it('links earlier events after a delay, so that a group created right then from the end receives them', async () => {
    const type = unique();
    await server.client.disableProjection('$by_event_type');
    await server.client.appendToStream(unique(), event('before'));
    await server.client.enableProjection('$by_event_type');
    await server.client.appendToStream(unique(), [event(type), event(type)]);
    const settings = streamSettings({ startFrom: END, resolveLinkTos: true });
    await server.client.createPersistentSubscriptionToStream(`$et-${type}`, 'late', settings);
    const { subscription, inbox } = consumeStream(server.client, `$et-${type}`, 'late');
    expect((await inbox.count(2)).map((resolved) => resolved.event?.type)).toEqual([type, type]);
    await subscription.unsubscribe();
  });
});

// EventStoreDB keeps names in memory and in its chunks.
describeEmbedded('links in streams whose names are longer than the keys of the database', () => {
  it('are found in the database, each in its own stream', async () => {
    const dataDir = await temporaryFolder();
    const types = ['a', 'b'].map((end) => `${'t'.repeat(3_000)}${end}`);
    for (const round of ['write', 'read']) {
      const store = await spawnEventStore({ dataDir });
      const client = connect(store.url);
      if (round === 'write') {
        await client.enableProjection('$by_event_type');
        for (const type of types) await client.appendToStream('links-1', event(type));
      }
      for (const type of types) {
        const links = await collect(client.readStream(`$et-${type}`, { resolveLinkTos: true }));
        expect(links.map((resolved) => resolved.event?.type)).toEqual([type]);
      }
      await client.dispose();
      await store.stop();
      // After a stop the journal holds nothing that the database lacks.
      for (const name of ['journal-0', 'journal-1']) await rm(join(dataDir, name), { force: true });
    }
    await rm(dataDir, { recursive: true });
  });
});
