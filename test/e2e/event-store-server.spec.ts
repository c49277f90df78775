import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { runCli } from '../support/cli.js';
import { Serving } from './support/serving.js';

const SECRET = 'kept-to-itself';
const CONTENT = 'what somebody wrote';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-serving-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = (name: string): string => join(folder, name);
const append = async (url: string, stream: string, count: number): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url);
  const events = Array.from({ length: count }, () => jsonEvent({ type: 'Written', data: { CONTENT } }));
  await client.appendToStream(stream, events);
  await client.dispose();
};
const refused = async (args: readonly string[], says: RegExp): Promise<void> => {
  const { exitCode, stdout, stderr } = await runCli(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
};

/** Flips one bit in the middle of the file. */
const flipByte = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
};

/** Guarantee: the commands of an event store operator work. */
describe('palimpsest eventstore', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('serves until %s, and keeps its data', async (signal) => {
    const serving = await Serving.start(['--data', place(signal)]);
    expect(serving.announcement).toMatchObject({ tls: false, generatedPasswords: {} });
    await append(serving.url, 'some', 3);
    expect(await serving.stop(signal)).toBe(0);
    expect(serving.log).toEqual([]);
    const next = await Serving.start(['start', '--data', place(signal)]);
    await append(next.url, 'some', 1);
    await next.stop();
  });

  it('reports in one line why it does not start', async () => {
    const serving = await Serving.start(['--data', place('taken')]);
    const { port } = serving.announcement;
    await refused(['eventstore', '--data', place('taken'), '--port', '0'], /\[data-folder-in-use\]$/m);
    await refused(['eventstore', '--data', place('free'), '--port', String(port)], /\[port-in-use\]$/m);
    await refused(['eventstore', '--data', place('free'), '--host', '0.0.0.0'], /\[insecure-host\]$/m);
    await refused(
      ['eventstore', '--data', place('free'), '--certificate-file', place('none')],
      /\[invalid-configuration\]$/m,
    );
    await writeFile(place('broken'), SECRET);
    const broken = ['--certificate-file', place('broken'), '--certificate-private-key-file', place('broken')];
    await refused(
      ['eventstore', '--data', place('free'), '--port', '0', ...broken],
      /^(?!.*kept-to-itself).*\[invalid-certificate\]$/m,
    );
    await serving.stop();
  });

  it('logs events without contents and secrets', async () => {
    await writeFile(place('password'), `${SECRET}\n`);
    const secure = ['--tls', '--default-admin-password-file', place('password'), '--log', 'json'];
    const serving = await Serving.start(['--data', place('secure'), ...secure]);
    expect(Object.keys(serving.announcement.generatedPasswords)).toEqual(['ops']);
    const as = (user: string): string => serving.url.replace('esdb://', `esdb://${user}@`);
    await append(as(`admin:${SECRET}`), 'some', 3);
    await expect(append(as(`admin:not-${SECRET}`), 'some', 1)).rejects.toThrow(AccessDeniedError);
    expect(await serving.stop()).toBe(0);
    expect(serving.log).toMatchObject([
      { level: 'info', event: 'started', tls: true, users: 2 },
      { level: 'warn', event: 'refused', code: 'UNAUTHENTICATED' },
      { level: 'info', event: 'stopped' },
    ]);
    expect(JSON.stringify(serving.log)).not.toMatch(new RegExp(`${SECRET}|${CONTENT}`));
  });

  it('manages users while it is stopped', async () => {
    const users = async (...args: string[]): Promise<readonly Record<string, unknown>[]> => {
      const { exitCode, stdout, stderr } = await runCli([
        'eventstore',
        'users',
        ...args,
        '--data',
        place('users'),
        '--json',
      ]);
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    await (await Serving.start(['--data', place('users'), '--tls'])).stop();
    await writeFile(place('password'), SECRET);
    const given = ['--password-file', place('password')];
    expect(await users('add', 'ann', '--groups', '$admins,staff', ...given)).toMatchObject([
      { login: 'ann', groups: ['$admins', 'staff'], disabled: false },
    ]);
    expect(await users('disable', 'admin')).toMatchObject([{ login: 'admin', disabled: true }]);
    expect((await users('change', 'ops'))[0]).not.toHaveProperty('generatedPassword');
    expect(await users('remove', 'ops')).toHaveLength(2);
    await expect(users('add', 'ann')).rejects.toThrow(/\[user-exists\]/);
    await expect(users('enable', 'nobody')).rejects.toThrow(/\[user-not-found\]/);
    const serving = await Serving.start(['--data', place('users'), '--tls']);
    expect(serving.announcement.generatedPasswords).toEqual({});
    await append(serving.url.replace('esdb://', `esdb://ann:${SECRET}@`), '$closed', 1);
    await serving.stop();
  });

  describe('verify', () => {
    const verify = (name: string, ...more: readonly string[]) =>
      runCli(['eventstore', 'verify', '--data', place(name), ...more]);
    beforeAll(async () => {
      const serving = await Serving.start(['--data', place('verified')]);
      await append(serving.url, 'some', 30);
      await serving.stop();
    });

    it('reports in one line that every checksum matches, and exits with 0', async () => {
      expect(await verify('verified')).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: expect.stringMatching(
          /^every checksum holds: \d+ events up to position \d+, \d+ entries in all\n$/,
        ),
      });
    });

    it('shows progress on stderr on request, in percent and with the remaining time', async () => {
      const { exitCode, stdout, stderr } = await verify('verified', '--progress', '--json');
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ isIntact: true, problems: [] });
      expect(stderr).toMatch(/^verifying: \d+ %, 1 entry, (\d+ min )?\d+ s left\n/);
    });

    it('rejects the folder of a running server', async () => {
      const serving = await Serving.start(['--data', place('verified')]);
      await refused(['eventstore', 'verify', '--data', place('verified')], /\[data-folder-in-use\]$/m);
      await serving.stop();
    });

    it('rejects a missing folder, and does not create it', async () => {
      await refused(['eventstore', 'verify', '--data', place('missing')], /\[data-folder-unusable\]$/m);
      expect(existsSync(place('missing'))).toBe(false);
    });

    it('rejects the folder of another program, and leaves it unchanged', async () => {
      await mkdir(place('foreign'));
      await writeFile(join(place('foreign'), 'notes.txt'), CONTENT);
      await refused(['eventstore', 'verify', '--data', place('foreign')], /\[data-folder-unusable\]$/m);
      expect(await readdir(place('foreign'))).toEqual(['notes.txt']);
    });

    it('names a flipped byte and exits with 1; --accept-loss continues and records the loss as an event', async () => {
      await flipByte(join(place('verified'), 'eventstore/events.mdb'));
      const { exitCode, stdout, stderr } = await verify('verified');
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
      expect(stdout).toMatch(/^damaged: [^\n]*events\.mdb[^\n]*--accept-loss/);
      await refused(['eventstore', '--data', place('verified')], /\[data-folder-damaged\]$/m);
      const accepting = await Serving.start(['--data', place('verified'), '--accept-loss']);
      const client = EventStoreDBClient.connectionString(accepting.url);
      const losses = [];
      for await (const { event } of client.readStream('$log-losses')) losses.push(event?.data);
      await client.dispose();
      expect(losses).toEqual([
        expect.objectContaining({
          reasons: [expect.stringContaining('events.mdb')],
          ranges: expect.any(Array),
          damagedFiles: expect.stringContaining('damaged-'),
        }),
      ]);
      await accepting.stop();
      expect(await verify('verified')).toMatchObject({ exitCode: 0 });
      const next = await Serving.start(['--data', place('verified')]);
      await append(next.url, 'some', 1);
      await next.stop();
    });
  });

  it('copies events to another server, with or without TLS', async () => {
    const from = await Serving.start(['--data', place('from')]);
    const to = await Serving.start(['--data', place('to'), '--tls'], {
      EVENTSTORE_DEFAULT_ADMIN_PASSWORD: SECRET,
    });
    await append(from.url, 'some', 20);
    const target = to.url.replace('esdb://', `esdb://admin:${SECRET}@`);
    const copy = ['eventstore', 'copy', '--from', from.url, '--to', target];
    const first = await runCli([...copy, '--json']);
    expect(first.exitCode).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ events: 20, copied: 20, alreadyThere: 0 });
    const second = await runCli(copy);
    expect(second.stdout).toContain('20 events, 0 copied now and 20 before, verified');
    await append(target, 'other', 1);
    const diverged = await runCli(copy);
    expect(diverged.exitCode).toBe(1);
    expect(diverged.stderr).toMatch(/\[copy-diverged\]\n$/);
    await Promise.all([from.stop(), to.stop()]);
  });
});
