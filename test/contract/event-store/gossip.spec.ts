import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import { credentials } from '@grpc/grpc-js';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, countedUp } from './support/events.js';
import { ADMIN, SecureServer } from './support/secure-server.js';

const works = async (url: string): Promise<void> => {
  const client = connect(url);
  const stream = `found-${url.length}`;
  await client.appendToStream(stream, countedUp(3));
  expect(await collect(client.readStream(stream))).toHaveLength(3);
  await client.dispose();
};

describeEmbedded('cluster of one node', () => {
  it('is found by discovery and by a list of hosts', async () => {
    const dataDir = await temporaryFolder();
    const server = await spawnEventStore({ dataDir });
    const host = server.url.slice('esdb://'.length, server.url.indexOf('?'));
    await works(`esdb+discover://${host}?tls=false`);
    await works(`esdb://127.0.0.1:1,${host}?tls=false&maxDiscoverAttempts=5`);
    await works(`esdb+discover://${host}?tls=false&nodePreference=follower`);
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  it('is found with TLS before authentication', async () => {
    const server = await SecureServer.start();
    await works(server.urlFor(ADMIN, 'esdb+discover'));
    await server.remove();
  });

  it('advertises the configured address', async () => {
    const dataDir = await temporaryFolder();
    const server = await spawnEventStore({ dataDir });
    const host = server.url.slice('esdb://'.length, server.url.indexOf('?'));
    const otherDir = await temporaryFolder();
    const advertisePort = Number(host.split(':')[1]);
    const other = await spawnEventStore({
      dataDir: otherDir,
      port: 0,
      host: '127.0.0.1',
      advertiseHost: 'localhost',
      advertisePort,
    });
    expect(other.url).toBe(`esdb://localhost:${advertisePort}?tls=false`);
    await Promise.all([server.stop(), other.stop()]);
    await Promise.all([dataDir, otherDir].map((dir) => rm(dir, { recursive: true })));
  });
});

describeEmbedded('gossip of a cluster of one node', () => {
  it('reports the node as alive leader with its address', async () => {
    const dataDir = await temporaryFolder();
    const server = await spawnEventStore({ dataDir });
    const { host, hostname, port } = new URL(server.url.replace('esdb:', 'http:'));
    const gossip = new gossipServices.GossipClient(host, credentials.createInsecure());
    const { membersList } = await new Promise<gossipMessages.ClusterInfo.AsObject>((resolve, reject) =>
      gossip.read(new sharedMessages.Empty(), (fault, info) =>
        fault ? reject(fault) : resolve(info.toObject()),
      ),
    );
    expect(membersList).toMatchObject([
      {
        state: gossipMessages.MemberInfo.VNodeState.LEADER,
        isAlive: true,
        httpEndPoint: { address: hostname, port: Number(port) },
      },
    ]);
    gossip.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
});
