import { AccessDeniedError, type EventStoreDBClient, jsonEvent, type StreamACL } from '@eventstore/db-client';
import usersPb from '@eventstore/db-client/generated/users_pb.js';
import { describeEmbedded } from './support/contract-server.js';
import { collect, counted } from './support/events.js';
import { ADMIN, credentialsOf, OPS, SecureServer } from './support/secure-server.js';
import { inboxOf } from './support/waiting.js';

describeEmbedded('ACLs', () => {
  let server: SecureServer;
  let admin: EventStoreDBClient;
  let ann: EventStoreDBClient;
  let anonymous: EventStoreDBClient;
  beforeAll(async () => {
    server = await SecureServer.start();
    admin = server.clientOf(ADMIN);
    await addUser('ann', ['staff']);
    await addUser('bob', []);
    ann = server.clientOf('ann:secret');
    anonymous = server.clientOf();
  });
  afterAll(() => server.remove());

  const addUser = (login: string, groups: string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = new usersPb.CreateReq.Options();
      options.setLoginName(login).setPassword('secret').setGroupsList(groups);
      const request = new usersPb.CreateReq().setOptions(options);
      server.usersOf(ADMIN).create(request, (fault) => (fault ? reject(fault) : resolve()));
    });
  const denied = (call: Promise<unknown>): Promise<void> => expect(call).rejects.toThrow(AccessDeniedError);
  const append = (client: EventStoreDBClient, stream: string) => client.appendToStream(stream, counted(0));
  const read = (client: EventStoreDBClient, stream: string) => collect(client.readStream(stream));
  let streams = 0;
  const streamWith = async (acl: StreamACL): Promise<string> => {
    streams += 1;
    const stream = `guarded-${streams}`;
    await admin.appendToStream(stream, counted(0));
    await admin.setStreamMetadata(stream, { acl });
    return stream;
  };

  it('allow every authenticated user to access a stream without ACL', async () => {
    await append(ann, 'open');
    expect(await read(server.clientOf('bob:secret'), 'open')).toHaveLength(1);
    await denied(read(anonymous, 'open'));
    await denied(append(anonymous, 'open'));
  });

  it('admit readers and writers by name and group, for every kind of read and append', async () => {
    const stream = await streamWith({ readRoles: ['staff'], writeRoles: ['bob'] });
    const bob = server.clientOf('bob:secret');
    expect(await read(ann, stream)).toHaveLength(1);
    await denied(append(ann, stream));
    await denied(ann.appendToStream(stream, counted(0), { credentials: credentialsOf('ann:secret') }));
    await append(bob, stream);
    await bob.appendToStream(stream, counted(1), { credentials: credentialsOf('bob:secret') });
    await denied(read(bob, stream));
    await denied(collect(bob.subscribeToStream(stream)));
    await inboxOf(ann.subscribeToStream(stream)).count(3);
  });

  it('apply to each append of a batch without affecting the others', async () => {
    const closed = await streamWith({ writeRoles: ['$admins'] });
    const results = await Promise.allSettled([
      append(ann, 'open-a'),
      append(ann, closed),
      append(ann, 'open-b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('control access to metadata separately', async () => {
    const stream = await streamWith({ metaReadRoles: ['ann'], metaWriteRoles: ['bob'] });
    const bob = server.clientOf('bob:secret');
    expect((await ann.getStreamMetadata(stream)).metadata?.acl).toMatchObject({ metaReadRoles: ['ann'] });
    await denied(bob.getStreamMetadata(stream));
    await denied(ann.setStreamMetadata(stream, {}));
    await bob.setStreamMetadata(stream, { maxCount: 3 });
  });

  it('control deletions', async () => {
    const stream = await streamWith({ deleteRoles: ['bob'] });
    await denied(ann.deleteStream(stream));
    await denied(ann.tombstoneStream(stream));
    await denied(admin.deleteStream(`$$${stream}`));
    await server
      .clientOf('bob:secret')
      .deleteStream(stream)
      .catch((error: Error) => expect(error).not.toBeInstanceOf(AccessDeniedError));
  });

  it('restrict $all and system streams to administrators by default', async () => {
    await denied(collect(ann.readAll()));
    await denied(collect(ann.subscribeToAll()));
    await denied(read(ann, '$epoch-information'));
    await denied(append(ann, '$mine'));
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['staff'] } });
    expect((await collect(ann.readAll())).length).toBeGreaterThan(1);
    await denied(collect(server.clientOf('bob:secret').readAll()));
    await admin.setStreamMetadata('$all', {});
    await denied(collect(ann.readAll()));
  });

  it('allow all users to read streams of system projections, but not to write them', async () => {
    for (const name of ['$by_category', '$by_event_type', '$by_correlation_id', '$stream_by_category'])
      await admin.enableProjection(name);
    await admin.enableProjection('$streams');
    const metadata = { $correlationId: 'c1' };
    await ann.appendToStream('projected-1', jsonEvent({ type: 'projected', data: {}, metadata }));
    const projected = ['$ce-projected', '$et-projected', '$bc-c1', '$category-projected', '$streams'];
    for (const stream of projected) {
      // The projection may write links with a delay.
      await expect(inboxOf(ann.subscribeToStream(stream)).count(1)).resolves.not.toHaveLength(0);
      expect((await ann.getStreamMetadata(stream)).metadata?.acl).toBeUndefined();
      await denied(append(ann, stream));
      await denied(ann.setStreamMetadata(stream, {}));
      await denied(ann.deleteStream(stream));
      await denied(read(anonymous, stream));
    }
    await denied(read(ann, '$persistentSubscriptionConfig'));
    await admin.setStreamMetadata('$ce-projected', { acl: { readRoles: ['bob'] } });
    await denied(read(ann, '$ce-projected'));
    expect(await read(server.clientOf('bob:secret'), '$ce-projected')).toHaveLength(1);
  });

  it('have defaults in $settings', async () => {
    const settings = (data: object) =>
      admin.appendToStream('$settings', jsonEvent({ type: '$settings', data: { ...data } }));
    await denied(ann.appendToStream('$settings', counted(0)));
    await settings({ $userStreamAcl: { $w: 'bob' }, $systemStreamAcl: { $r: ['$all', '$admins'] } });
    await denied(append(ann, 'open'));
    expect(await read(ann, '$epoch-information')).toHaveLength(1);
    const own = await streamWith({ writeRoles: ['ann'] });
    await append(ann, own);
    await settings({});
    await append(ann, 'open');
  });

  it('control persistent subscriptions, which only operators may create', async () => {
    const stream = await streamWith({ readRoles: ['ann'] });
    const make = (client: EventStoreDBClient, group: string) =>
      client.createPersistentSubscriptionToStream(stream, group, {
        ...PERSISTENT,
        startFrom: 'start',
      });
    await denied(make(ann, 'group'));
    await make(server.clientOf(OPS), 'named');
    const consumer = ann.subscribeToPersistentSubscriptionToStream(stream, 'named');
    await inboxOf(consumer).count(1);
    const { connections } = await admin.getPersistentSubscriptionToStreamInfo(stream, 'named');
    expect(connections.map(({ username }) => username)).toEqual(['ann']);
    await make(server.clientOf(OPS), 'group');
    await make(admin, 'other');
    const event = await inboxOf(ann.subscribeToPersistentSubscriptionToStream(stream, 'group')).count(1);
    expect(event).toHaveLength(1);
    await denied(
      collect(server.clientOf('bob:secret').subscribeToPersistentSubscriptionToStream(stream, 'other')),
    );
    await denied(
      ann.getPersistentSubscriptionToStreamInfo(stream, 'group').then(() => denyAnonymous(stream)),
    );
    await denied(ann.deletePersistentSubscriptionToStream(stream, 'group'));
    await admin.deletePersistentSubscriptionToStream(stream, 'group');
  });
  const denyAnonymous = (stream: string): Promise<unknown> =>
    anonymous.getPersistentSubscriptionToStreamInfo(stream, 'group');
});

describeEmbedded('anonymous access', () => {
  it('follows the ACLs if enabled', async () => {
    const server = await SecureServer.start({ allowAnonymousStreamAccess: true });
    const anonymous = server.clientOf();
    await anonymous.appendToStream('open', counted(0));
    expect(await collect(anonymous.readStream('open'))).toHaveLength(1);
    await expect(collect(anonymous.readAll())).rejects.toThrow(AccessDeniedError);
    await expect(anonymous.deletePersistentSubscriptionToStream('open', 'group')).rejects.toThrow(
      AccessDeniedError,
    );
    await server.remove();
  });
});

const PERSISTENT = {
  resolveLinkTos: false,
  extraStatistics: false,
  messageTimeout: 1_000,
  maxRetryCount: 1,
  checkPointAfter: 1_000,
  checkPointLowerBound: 1,
  checkPointUpperBound: 2,
  maxSubscriberCount: 10,
  liveBufferSize: 10,
  readBatchSize: 10,
  historyBufferSize: 20,
  consumerStrategyName: 'RoundRobin',
} as const;
