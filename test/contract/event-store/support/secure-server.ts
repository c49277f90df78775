import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import type { EventStoreDBClient } from '@eventstore/db-client';
import usersGrpc from '@eventstore/db-client/generated/users_grpc_pb.js';
import { CallCredentials, credentials, Metadata } from '@grpc/grpc-js';
import { connect, temporaryFolder } from './contract-server.js';

type Options = Omit<Parameters<typeof spawnEventStore>[0], 'dataDir'>;

export const ADMIN = 'admin:changeit';
export const OPS = 'ops:changeit-too';
/** Credentials in the client's form for one call. */
export const credentialsOf = (user: string): { username: string; password: string } => {
  const [username = '', password = ''] = user.split(':');
  return { username, password };
};

/** A server with TLS and users, and clients by user. */
export class SecureServer {
  private readonly clients: EventStoreDBClient[] = [];

  private constructor(
    private readonly server: SpawnedEventStore,
    readonly dataDir: string,
  ) {}

  static async start(options: Options = {}, folder?: string): Promise<SecureServer> {
    const dataDir = folder ?? (await temporaryFolder());
    const passwords = { defaultAdminPassword: 'changeit', defaultOpsPassword: 'changeit-too' };
    const server = await spawnEventStore({ dataDir, tls: { generatedFor: [] }, ...passwords, ...options });
    return new SecureServer(server, dataDir);
  }

  get url(): string {
    return this.server.url;
  }

  /** `user` is `name:password`; anonymous if absent. */
  urlFor(user?: string, scheme = 'esdb'): string {
    return this.url.replace('esdb://', `${scheme}://${user ? `${user}@` : ''}`);
  }

  clientOf(user?: string): EventStoreDBClient {
    const client = connect(this.urlFor(user));
    this.clients.push(client);
    return client;
  }

  /** The service Users, which the public client lacks. */
  usersOf(user: string): InstanceType<typeof usersGrpc.UsersClient> {
    const { host } = new URL(this.url.replace('esdb:', 'http:'));
    const authority = credentials.createSsl(readFileSync(this.caFile));
    const basic = CallCredentials.createFromMetadataGenerator((_, done) => {
      const metadata = new Metadata();
      metadata.set('authorization', `Basic ${Buffer.from(user).toString('base64')}`);
      done(null, metadata);
    });
    return new usersGrpc.UsersClient(host, credentials.combineChannelCredentials(authority, basic));
  }

  get caFile(): string {
    return /tlsCAFile=([^&]+)/.exec(this.url)?.[1] ?? '';
  }

  /** Keeps the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.dispose()));
    await this.server.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true });
  }
}
