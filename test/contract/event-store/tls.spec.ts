import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { spawnEventStore, startEventStore } from '@app/embedded-event-store';
import { AccessDeniedError, EventStoreDBClient } from '@eventstore/db-client';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, counted, countedUp } from './support/events.js';
import { ADMIN, credentialsOf, SecureServer } from './support/secure-server.js';

const WRONG = 'AzureDiamond:hunter2';

describeEmbedded('server with TLS', () => {
  let server: SecureServer;
  beforeAll(async () => {
    server = await SecureServer.start();
  });
  afterAll(() => server.remove());

  it('serves clients that trust its certificate and authenticate', async () => {
    const client = server.clientOf(ADMIN);
    await client.appendToStream('some', countedUp(3));
    expect(await collect(client.readStream('some'))).toHaveLength(3);
    const relativeUrl = server.urlFor(ADMIN).replace(server.caFile, relative(process.cwd(), server.caFile));
    const other = connect(relativeUrl);
    expect(await collect(other.readStream('some'))).toHaveLength(3);
    await other.dispose();
  });

  it('is rejected by clients that do not trust it', async () => {
    const client = connect(server.urlFor(ADMIN).replace(/&tlsCAFile.*/, ''));
    await expect(collect(client.readStream('some'))).rejects.toThrow(/certificate/i);
  });

  it('rejects wrong credentials of one call, and accepts correct ones', async () => {
    const right = server.clientOf(ADMIN);
    const wrong = server.clientOf(WRONG);
    const read = (client: EventStoreDBClient, user?: string) =>
      collect(client.readAll({ maxCount: 10, ...(user ? { credentials: credentialsOf(user) } : {}) }));
    await expect(read(right)).resolves.toBeDefined();
    await expect(read(right, WRONG)).rejects.toThrow(AccessDeniedError);
    await expect(read(wrong)).rejects.toThrow(AccessDeniedError);
    await expect(read(wrong, ADMIN)).resolves.toBeDefined();
    await expect(read(server.clientOf('admin:wrong'))).rejects.toThrow(AccessDeniedError);
  });

  it('rejects wrong credentials for both kinds of append', async () => {
    await expect(server.clientOf(WRONG).appendToStream('refused', counted(0))).rejects.toThrow(
      AccessDeniedError,
    );
    const append = server.clientOf(ADMIN).appendToStream('refused', counted(0), {
      credentials: credentialsOf(WRONG),
    });
    await expect(append).rejects.toThrow(AccessDeniedError);
  });

  it('makes its keys readable by their owner only', async () => {
    for (const name of ['ca.key', 'node.key']) {
      const { mode } = await stat(join(server.dataDir, 'certificates', name));
      expect(mode & 0o777).toBe(0o600);
    }
  });

  it('keeps certificate and users across restarts', async () => {
    const before = await readFile(server.caFile, 'utf8');
    await server.stop();
    const { dataDir } = server;
    server = await SecureServer.start({ defaultAdminPassword: 'not the first time' }, dataDir);
    expect(await readFile(server.caFile, 'utf8')).toBe(before);
    expect(await collect(server.clientOf(ADMIN).readStream('some'))).toHaveLength(3);
  });

  it('uses configured certificates', async () => {
    const folder = await temporaryFolder();
    await cp(join(server.dataDir, 'certificates'), folder, { recursive: true });
    const [certificateFile, privateKeyFile] = [join(folder, 'node.crt'), join(folder, 'node.key')];
    const given = await SecureServer.start({
      tls: { certificateFile, privateKeyFile, caFile: join(folder, 'ca.crt') },
    });
    await given.clientOf(ADMIN).appendToStream('some', counted(0));
    await given.remove();
    await writeFile(join(folder, 'not.crt'), 'not a certificate');
    const { privateKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      publicKeyEncoding: { format: 'pem', type: 'spki' },
    });
    await writeFile(join(folder, 'other.key'), privateKey);
    const pairs = [
      ['missing.crt', 'node.key'],
      ['not.crt', 'node.key'],
      ['node.crt', 'not.crt'],
      ['node.crt', 'other.key'],
    ] as const;
    for (const [certificate, key] of pairs) {
      const tls = { certificateFile: join(folder, certificate), privateKeyFile: join(folder, key) };
      const refused = startEventStore({ dataDir: join(folder, 'data'), tls });
      await expect(refused).rejects.toMatchObject({ code: 'invalid-certificate' });
    }
    await rm(folder, { recursive: true });
  });
});

describeEmbedded('server without TLS', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('rejects a non-loopback host unless allowed explicitly', async () => {
    const everywhere = { dataDir, host: '0.0.0.0' };
    await expect(startEventStore(everywhere)).rejects.toMatchObject({ code: 'insecure-host' });
    const server = await startEventStore({ ...everywhere, allowInsecureHost: true });
    expect(server.url).toContain('esdb://127.0.0.1:');
    await server.stop();
  });

  it('names the host that it cannot listen on', async () => {
    const nowhere = { dataDir, host: 'no-such-host.invalid', allowInsecureHost: true };
    await expect(startEventStore(nowhere)).rejects.toMatchObject({ code: 'host-unusable' });
  });

  it('listens on a Unix domain socket for its owner only, also after it was killed', async () => {
    const unixSocket = join(dataDir, 'socket');
    const killed = await spawnEventStore({ dataDir, unixSocket });
    expect(killed.url).toBe(`unix:${unixSocket}`);
    expect((await stat(unixSocket)).mode & 0o777).toBe(0o600);
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
    const server = await spawnEventStore({ dataDir, unixSocket });
    const client = new EventStoreDBClient({ endpoint: server.url }, { insecure: true });
    await client.appendToStream('some', counted(0));
    expect(await collect(client.readStream('some'))).toHaveLength(1);
    await client.dispose();
    const second = startEventStore({ dataDir: join(dataDir, 'second'), unixSocket });
    await expect(second).rejects.toMatchObject({ code: 'data-folder-unusable' });
    await server.stop();
  });

  it('ignores credentials', async () => {
    const server = await startEventStore({ dataDir });
    const client = connect(server.url.replace('esdb://', `esdb://${WRONG}@`));
    await client.setStreamMetadata('some', { acl: { readRoles: ['$admins'], writeRoles: ['$admins'] } });
    await client.appendToStream('some', counted(0));
    expect(await collect(client.readStream('some'))).toHaveLength(1);
    await client.dispose();
    await server.stop();
  });
});
