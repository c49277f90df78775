import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PalimpsestClient } from '@app/client';
import { verifyBundle } from '@app/proof';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ApiServer, KEY } from '../api/support/api-server.js';
import {
  type Answering,
  answerWith,
  type Received,
  Receiver,
} from '../contract/webhooks/support/receiver.js';

const PROGRAM = fileURLToPath(new URL('../../dist/programs/palimpsest.js', import.meta.url));
const run = promisify(execFile);
const SESSIONS = ['one', 'two', 'three'];
const SUBJECT = 'customer-42';
/** Restored behind all other events of a session. */
const PROTECTION = new Set(['LegalHoldPlaced', 'RetentionPeriodSet']);
const KEPT_UNTIL = '2099-01-01T00:00:00.000Z';
const SECRET = 'a text of this customer';
/** Larger than an event, so that it is kept beside the log. */
const LARGE = 'a large result '.repeat(100_000);

const isOfTwo = ({ event }: Received): boolean => event.subject === 'two';
/** Events of one session stay pending. */
const answerToAllBut =
  (session: string): Answering =>
  (received, response) =>
    answerWith(received.event.subject === session ? 503 : 204)(received, response);

type Taken = { readonly folder: string; readonly keys: string; readonly events: number };

/** Guarantee: a backup under load is complete up to its position; each one that is damaged is refused with the place named. */
describe('a backup', () => {
  let home: string;
  let api: ApiServer;
  let client: PalimpsestClient;
  let receiver: Receiver;
  const taken: Taken[] = [];
  const clientOf = ({ url }: ApiServer) => new PalimpsestClient({ url, apiKey: KEY });
  const cli = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await run(process.execPath, [PROGRAM, ...args, '--json'], { cwd: home });
    return JSON.parse(stdout);
  };
  const refusal = async (...args: readonly string[]): Promise<string> => {
    try {
      await run(process.execPath, [PROGRAM, ...args], { cwd: home });
      return 'it was not refused';
    } catch (error) {
      return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    }
  };
  /** Kills a command as soon as it reports a phase. */
  const killAt = async (phase: string, ...args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, [PROGRAM, ...args, '--progress'], { cwd: home });
    child.stderr.on('data', (text: Buffer) => {
      if (text.includes(phase)) child.kill('SIGKILL');
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  };
  const data = () => join(home, 'data');
  const folder = () => join(home, 'backup');
  const keys = () => join(home, 'keys');

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'palimpsest-backup-'));
    api = await ApiServer.start({ PALIMPSEST_DATA: data(), PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' });
    client = clientOf(api);
    for (const session of SESSIONS) await client.sessions.open({ session, window: 200_000 });
    await client.sessions.append('one', { messages: [{ role: 'user', content: LARGE }] });
    receiver = await Receiver.start();
    receiver.answering = answerToAllBut('four');
    await client.webhooks.register({ url: receiver.url, sessions: ['two', 'four'] });
    await client.sessions.open({ session: 'four', window: 200_000, subjects: [SUBJECT] });
    await client.sessions.append('four', { messages: [{ role: 'user', content: SECRET }] });
    await client.secrets.put('model-key', 'sk-example');
    // Rows of a verification or rebuild that runs meanwhile are of no backup.
    const { postgresUrl } = JSON.parse(await readFile(join(data(), 'servers.json'), 'utf8'));
    const database = new pg.Client({ connectionString: postgresUrl });
    await database.connect();
    await database.query('create schema read_rebuild');
    await database.query("create table read_rebuild.sessions as select 'half built' as title");
    await database.end();
    // Writers append while a backup is taken.
    let isDone = false;
    let number = 0;
    const write = async (session: string): Promise<void> => {
      while (!isDone) {
        number += 1;
        const messages = [
          { role: 'user' as const, content: `question ${number} of ${session}` },
          { role: 'assistant' as const, content: `answer ${number} of ${session}` },
        ];
        await client.sessions.append(session, { messages });
      }
    };
    await killAt('backing up', 'backup', folder(), '--data', data());
    expect(await refusal('restore', folder(), '--keys', keys(), '--data', join(home, 'none'))).toMatch(
      /(is not complete: the backup was stopped|manifest\.json is missing).*\[backup-damaged\]/,
    );
    for (const name of ['1', '2']) {
      if (name === '2') await killAt('backing up', 'backup', folder(), '--data', data());
      isDone = false;
      const writers = SESSIONS.map(write);
      const { events } = (await cli('backup', folder(), '--keys', keys(), '--data', data())) as Taken;
      isDone = true;
      await Promise.all(writers);
      const copy = { folder: join(home, `backup-${name}`), keys: join(home, `keys-${name}`), events };
      await cp(folder(), copy.folder, { recursive: true });
      await cp(keys(), copy.keys);
      taken.push(copy);
    }
    await client.erasures.request({ subject: SUBJECT, reason: 'requested' });
    await client.retention.hold('one', 'case-1', 'litigation');
    await client.retention.set('two', { mode: 'compliance', until: KEPT_UNTIL });
    await client.sessions.open({ session: 'later', window: 200_000 });
    await client.retention.hold('later', 'case-1', 'litigation');
    await cli('backup', folder(), '--data', data());
  });
  afterAll(async () => {
    receiver.stop();
    await api.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const eventsOf = async (from: PalimpsestClient, session: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const event of from.sessions.events(session))
      if (!PROTECTION.has(event.type)) lines.push(JSON.stringify(event));
    return lines;
  };

  it('grows by the new events only', () => {
    const [first, second] = taken;
    expect(first?.events).toBeGreaterThan(10);
    expect(second?.events).toBeGreaterThan(first?.events ?? 0);
  });

  it('is not written where there can be no folder, and its keys not where there can be no file', async () => {
    const file = join(home, 'a-file');
    await writeFile(file, 'not a folder');
    for (const place of [file, join(file, 'below'), '/proc/palimpsest'])
      expect([place, await refusal('backup', place, '--data', data())]).toEqual([
        place,
        expect.stringContaining('[unwritable-file]'),
      ]);
    const nowhere = ['--keys', join(home, 'missing', 'keys')];
    expect(await refusal('backup', join(home, 'keyless'), ...nowhere, '--data', data())).toMatch(
      /\[unwritable-file\]/,
    );
  });

  /** The log's name. */
  const originOf = async (from: PalimpsestClient): Promise<string> =>
    (await from.log.checkpoint()).split('\n')[0] ?? '';

  const expectRestored = async (place: string, logs: 'continued' | 'new'): Promise<void> => {
    const restored = await ApiServer.start({
      PALIMPSEST_DATA: place,
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    try {
      const there = clientOf(restored);
      for (const session of SESSIONS) {
        const copy = await eventsOf(there, session);
        const original = await eventsOf(client, session);
        expect(copy.length).toBeGreaterThan(0);
        expect(copy).toEqual(original.slice(0, copy.length));
        const asOf = copy.length - 1;
        const context = await there.sessions.context(session, { asOf });
        expect(context).toEqual(await client.sessions.context(session, { asOf }));
      }
      expect((await there.retention.holds('one')).holds).toMatchObject([{ matter: 'case-1' }]);
      expect((await there.retention.get('two')).barrier).toMatchObject({ until: KEPT_UNTIL });
      expect((await there.secrets.list()).secrets.map(({ name }) => name)).toEqual(['model-key']);
      const { webhooks } = await there.webhooks.list();
      expect(webhooks).toHaveLength(1);
      const before = receiver.received.filter(isOfTwo).length;
      await there.sessions.append('two', { messages: [{ role: 'user', content: 'it goes on' }] });
      await receiver.until((received) => received.filter(isOfTwo).length > before);
      // The sender has passed all earlier events now.
      const { items: dead } = await there.webhooks.deliveries(webhooks[0]?.webhookId ?? '', {
        state: 'dead',
        limit: 1_000,
      });
      expect(dead.filter(({ session }) => session === 'four').length).toBeGreaterThan(0);
      expect(new Set(dead.map(({ lastOutcome }) => lastOutcome))).toEqual(new Set(['restored']));
      const ids = receiver.received.filter(isOfTwo).map(({ text }) => JSON.parse(text).id);
      expect(new Set(ids).size).toBe(ids.length);
      const erased = JSON.stringify(await there.sessions.context('four'));
      expect(erased).not.toContain(SECRET);
      expect(erased).toContain('erased');
      expect((await there.erasures.list()).erasures).toMatchObject([{ state: 'completed' }]);
      let proof = '';
      for await (const part of await there.sessions.proof('one')) proof += part;
      const { outcome, head, faults } = await verifyBundle(Buffer.from(proof));
      expect([outcome, faults]).toEqual(['valid', []]);
      expect(head?.origin).toBe(await originOf(there));
      expect(head?.origin === (await originOf(client))).toBe(logs === 'continued');
      expect(await there.log.verifyLive()).toMatchObject({ outcome: 'valid' });
    } finally {
      await restored.stop();
    }
  };

  it('that is older than an erasure is restored byte for byte, and erased by the ledger of a newer one', async () => {
    const [backup] = taken;
    const place = join(home, 'restored-1');
    const given = ['restore', backup?.folder ?? '', '--keys', backup?.keys ?? '', '--data', place];
    expect(await cli(...given, '--ledger', folder(), '--new-logs')).toMatchObject({
      ...{
        events: backup?.events,
        sessions: 4,
        blobs: 1,
        laterErasures: 1,
        laterProtection: 2,
        stoppedStreams: 0,
      },
    });
    await expectRestored(place, 'new');
  });

  it('whose restore was killed does not start, and goes on; old keys are destroyed by the newer log', async () => {
    const place = join(home, 'restored-2');
    const given = ['restore', folder(), '--keys', taken[0]?.keys ?? '', '--data', place];
    await killAt('comparing', ...given);
    expect(await refusal('sessions', '--data', place)).toMatch(/\[restore-unfinished\]/);
    expect(await refusal('restore', taken[0]?.folder ?? '', ...given.slice(2))).toMatch(
      /another backup.*\[restore-unfinished\]/,
    );
    expect(await cli(...given)).toMatchObject({
      sessions: 5,
      laterErasures: 0,
      laterProtection: 0,
      stoppedStreams: 0,
    });
    await expectRestored(place, 'continued');
  });

  it('is refused where data is already, and where it is damaged or cut, with the place', async () => {
    const [backup] = taken;
    const place = join(home, 'refused');
    const restore = (from: string, to = place, keysFile = backup?.keys ?? '') =>
      refusal('restore', from, '--keys', keysFile, '--data', to);
    const damaged = join(home, 'damaged');
    const log = join(damaged, 'log', '000001.ndjson.gz');
    const anew = () => cp(backup?.folder ?? '', damaged, { recursive: true, force: true });
    await anew();
    const bytes = await readFile(log);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(log, bytes);
    expect(await restore(damaged)).toMatch(/000001\.ndjson\.gz is damaged.*\[backup-damaged\]/);
    await anew();
    await truncate(log, 100);
    expect(await restore(damaged)).toMatch(/000001\.ndjson\.gz is cut: it has 100 of \d+ bytes/);
    await rm(log);
    expect(await restore(damaged)).toMatch(/000001\.ndjson\.gz is missing/);
    await anew();
    const manifest = join(damaged, 'manifest.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"events": ', '"events": 1'));
    expect(await restore(damaged)).toMatch(/manifest\.json is damaged/);
    expect(await restore(home)).toMatch(/manifest\.json is missing/);
    const cut = join(home, 'cut-keys');
    await writeFile(
      cut,
      `${(await readFile(backup?.keys ?? '', 'utf8')).split('\n').slice(0, 2).join('\n')}\n`,
    );
    expect(await restore(backup?.folder ?? '', place, cut)).toMatch(/cut-keys is cut: it has 1 of \d+ keys/);
    expect(await restore(backup?.folder ?? '', join(home, 'restored-1'))).toMatch(
      /\[restore-target-in-use\]/,
    );
    expect(await restore(backup?.folder ?? '', data())).toMatch(/\[data-folder-in-use\]/);
    expect(await readdir(home)).not.toContain('refused');
  });

  it('holds no content in clear, and no key', async () => {
    const [installationKey = ''] = (await readFile(join(data(), 'secrets.key'), 'utf8'))
      .trim()
      .split('\n')
      .slice(-1);
    for (const file of await readdir(folder(), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      const { stdout } = await run('zcat', ['-f', path], { maxBuffer: 2 ** 30, encoding: 'latin1' });
      for (const text of ['question 1', 'a large result', 'sk-example', installationKey])
        expect([path, stdout.includes(text)]).toEqual([path, false]);
    }
  });
});
