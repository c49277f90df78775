import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import {
  eventTypeFilter,
  persistentSubscriptionToAllSettingsFromDefaults,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder, useContractServer } from './support/contract-server.js';
import { counted } from './support/events.js';
import { errorOf, inboxOf } from './support/waiting.js';

const server = useContractServer();
const EVIL = '^(a+)+$';
const LONG = `${'a'.repeat(36)}b`;

/** Guarantee: filters match as in EventStoreDB, and do not block other calls. */
it.each([
  [String.raw`\A\p{Lu}rder-ä\w\z`, 'Order-äö'],
  ['(?i)^ORDER-CASE', 'order-case'],
  [String.raw`^name-\d+\Z`, 'name-12'],
])('finds with %s the stream %s', async (regex, stream) => {
  await server.client.appendToStream(stream, counted(0));
  const subscription = server.client.subscribeToAll({ filter: streamNameFilter({ regex }) });
  const [found] = await inboxOf(subscription).count(1);
  expect(found?.event?.streamId).toBe(stream);
  await subscription.unsubscribe();
});

describeEmbedded('regular expression that requires more than linear time', () => {
  it('is rejected with the reason', async () => {
    const subscription = server.client.subscribeToAll({ filter: eventTypeFilter({ regex: '(a)\\1' }) });
    expect((await errorOf(subscription)).message).toContain('remove backreferences');
  });
});

it('answers other calls during a filter that stalls backtracking engines, and after a restart', async () => {
  const dataDir = await temporaryFolder();
  const filter = streamNameFilter({ regex: EVIL });
  const settings = persistentSubscriptionToAllSettingsFromDefaults({ startFrom: START });
  for (const round of [0, 1]) {
    const store = await spawnEventStore({ dataDir });
    const client = connect(store.url);
    if (round === 0) await client.createPersistentSubscriptionToAll('evil', settings, { filter });
    const subscription = client.subscribeToAll({ filter });
    const group = client.subscribeToPersistentSubscriptionToAll('evil');
    group.on('error', () => undefined);
    const inbox = inboxOf(subscription);
    await client.appendToStream(LONG, counted(round));
    await client.appendToStream('a'.repeat(round + 1), counted(round));
    await inbox.count(round + 1);
    await client.dispose();
    await store.stop();
    expect(await store.exited).toEqual({ code: 0, signal: null });
  }
  await rm(dataDir, { recursive: true });
});
