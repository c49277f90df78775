import { ProtoWriter } from '@app/kernel';

/** The EventStoreDB version that this server follows. */
const SERVER_VERSION = '24.10.0';

const STREAMS = 'event_store.client.streams.streams';
const PROJECTIONS = 'event_store.client.projections.projections';
const PERSISTENT = 'event_store.client.persistent_subscriptions.persistentsubscriptions';

/**
 * The supported methods and features, in lower case as clients look them up. Lists every method of persistent
 * subscriptions: for a missing one the client falls back to HTTP on the same port, which this server does not serve.
 */
const METHODS: readonly (readonly [service: string, method: string, ...features: string[]])[] = [
  [STREAMS, 'read', 'position', 'events'],
  [STREAMS, 'append'],
  [STREAMS, 'delete'],
  [STREAMS, 'tombstone'],
  [STREAMS, 'batchappend', 'deadline_duration'],
  [PERSISTENT, 'create', 'stream', 'all'],
  [PERSISTENT, 'delete', 'stream', 'all'],
  [PERSISTENT, 'read', 'stream', 'all'],
  [PERSISTENT, 'getinfo', 'stream', 'all'],
  [PERSISTENT, 'update', 'stream', 'all'],
  [PERSISTENT, 'replayparked', 'stream', 'all'],
  [PERSISTENT, 'list', 'stream', 'all'],
  [PERSISTENT, 'restartsubsystem'],
  [PROJECTIONS, 'create', 'track_emitted_streams'],
  ...[
    'update',
    'delete',
    'statistics',
    'disable',
    'enable',
    'reset',
    'state',
    'result',
    'restartsubsystem',
  ].map((method) => [PROJECTIONS, method] as const),
  ['event_store.client.gossip.gossip', 'read'],
  ...['create', 'update', 'delete', 'enable', 'disable', 'details', 'changepassword', 'resetpassword'].map(
    (method): readonly [string, string] => ['event_store.client.users.users', method],
  ),
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods'],
];

/** Returns `message SupportedMethods`, encoded. */
export const supportedMethods = (): Buffer => {
  const writer = new ProtoWriter(1_024);
  for (const [service, method, ...features] of METHODS) {
    const entry = new ProtoWriter(128).string(1, method).string(2, service);
    for (const feature of features) entry.string(3, feature);
    writer.bytes(1, entry.finish());
  }
  return writer.string(2, SERVER_VERSION).finish();
};
