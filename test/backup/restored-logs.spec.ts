import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { verifyBundle } from '@app/proof';
import { parsePolicy } from '@app/tlog';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiServer } from '../api/support/api-server.js';

const PROGRAM = fileURLToPath(new URL('../../dist/programs/palimpsest.js', import.meta.url));
const run = promisify(execFile);

type Listed = {
  readonly keys: readonly string[];
  readonly size: number;
  readonly witnesses: readonly { readonly size: number | null; readonly problem: string | null }[];
};

/** Guarantee: a witness of ours refuses a log that went back, says how to mend it, and cosigns the new log. */
describe('a restored log with another installation as its witness', () => {
  let home: string;
  let witness: ApiServer | undefined;
  const place = (name: string): string => join(home, name);
  const policy = (): string => place('witnesses.policy');

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'palimpsest-restored-logs-'));
  });
  afterAll(async () => {
    await witness?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  /** Starts the witness of these logs, on its own data, and names it to them. */
  const startWitness = async (logs: readonly string[]): Promise<void> => {
    await witness?.stop();
    await writeFile(place('logs.policy'), `${logs.map((key) => `log ${key}\n`).join('')}quorum none\n`);
    witness = await ApiServer.start({
      PALIMPSEST_DATA: place('witness'),
      PALIMPSEST_WITNESS_LOGS: place('logs.policy'),
      PALIMPSEST_WITNESS_NAME: 'witness.example.com/w1',
    });
    const [key] = (await (await fetch(`${witness.url}/witness`)).text()).split('\n');
    await writeFile(policy(), `witness w1 ${key} ${witness.url}/witness\nquorum w1\n`);
  };
  const startLog = (data: string): Promise<ApiServer> =>
    ApiServer.start({ PALIMPSEST_DATA: place(data), PALIMPSEST_WITNESSES: policy() });
  const append = async (api: ApiServer, content: string): Promise<void> => {
    const messages = [{ role: 'user', content }];
    expect((await api.call('POST', '/v1/sessions/s/messages', { messages })).status).toBeLessThan(300);
  };
  const listed = async (api: ApiServer, isSo: (listed: Listed) => boolean): Promise<Listed> => {
    for (;;) {
      const { status, body } = await api.call('GET', '/v1/log/witnesses');
      if (status === 200 && isSo(body as Listed)) return body as Listed;
      await pause(50);
    }
  };
  const isCosigned = ({ size, witnesses }: Listed): boolean => witnesses[0]?.size === size;
  const cli = (...args: readonly string[]) => run(process.execPath, [PROGRAM, ...args], { cwd: home });
  const restore = (data: string, ...more: readonly string[]) =>
    cli('restore', place('backup'), '--keys', place('keys'), '--data', place(data), ...more);

  it('is refused with a remedy, and begins anew', async () => {
    const alone = await ApiServer.start({ PALIMPSEST_DATA: place('data') });
    await alone.call('POST', '/v1/sessions', { session: 's', window: 200_000 });
    await append(alone, 'one');
    const { keys: old } = await listed(alone, ({ size }) => size > 2);
    await alone.stop();

    await startWitness(old);
    const api = await startLog('data');
    const saved = await listed(api, isCosigned);
    await cli('backup', place('backup'), '--keys', place('keys'), '--data', place('data'));
    for (let at = 0; at < 10; at += 1) await append(api, `after the backup ${at}`);
    // A head with these messages: the one of the backup is cosigned already.
    const before = await listed(api, (now) => isCosigned(now) && now.size >= saved.size + 10);
    await api.stop();

    await restore('went-back');
    const back = await startLog('went-back');
    await append(back, 'another'); // A head that the witness has cosigned is not submitted again.
    const shorter = await listed(back, ({ witnesses }) => witnesses[0]?.problem !== null);
    expect(shorter.size).toBeLessThan(before.size);
    expect(shorter.witnesses[0]?.problem).toMatch(/older backup, which `restore --new-logs` mends/);
    // Larger than the tree that the witness knows, and another one.
    for (let at = 0; at < 20; at += 1) await append(back, `another ${at}`);
    const forked = await listed(back, ({ witnesses }) => /status 422/.test(witnesses[0]?.problem ?? ''));
    expect(forked.witnesses[0]?.problem).toMatch(/`restore --new-logs` mends/);
    await back.stop();

    await restore('anew', '--new-logs');
    const anew = await startLog('anew');
    const unknown = await listed(anew, ({ witnesses }) => witnesses[0]?.problem !== null);
    expect(unknown.witnesses[0]?.problem).toMatch(/status 404\): give its operator the log's key/);
    expect(unknown.keys).not.toEqual(old);
    await anew.stop();
    await startWitness([...old, ...unknown.keys]);
    const goesOn = await startLog('anew');
    await append(goesOn, 'it goes on');
    await listed(goesOn, isCosigned);
    const proof = String((await goesOn.call('GET', '/v1/sessions/s/proof')).body);
    const [, vkey] = /^witness w1 (\S+)/.exec(await readFile(policy(), 'utf8')) ?? [];
    const trusted = parsePolicy(`log ${unknown.keys[0]}\nwitness w1 ${vkey}\nquorum w1\n`);
    expect(await verifyBundle(Buffer.from(proof), { policy: trusted })).toMatchObject({
      ...{ outcome: 'valid', faults: [], quorum: 'met' },
    });
    await goesOn.stop();
  });

  it('begins anew from a backup whose leaves have the form of an older version', async () => {
    const api = await ApiServer.start({ PALIMPSEST_DATA: place('older-data') });
    await api.call('POST', '/v1/sessions', { session: 's', window: 200_000 });
    await append(api, 'one');
    const { keys: old } = await listed(api, ({ size }) => size > 2);
    await cli('backup', place('older'), '--keys', place('older-keys'), '--data', place('older-data'));
    await api.stop();
    await asOlderVersion(place('older'));
    const restored = await cli(
      ...['restore', place('older'), '--keys', place('older-keys'), '--data', place('older-restored')],
    );
    expect(restored.stdout).toMatch(/new transparency logs begin, with new keys/);
    const live = await cli('verify', '--live', '--data', place('older-restored'));
    expect(live.stdout).toMatch(/^installation: VALID/);
    const anew = await ApiServer.start({ PALIMPSEST_DATA: place('older-restored') });
    expect((await listed(anew, ({ size }) => size > 2)).keys).not.toEqual(old);
    await anew.stop();
  });
});

const contents = z.object({ manifest: z.object({ state: z.object({ file: z.string() }) }) });
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Rewrites a backup as if a version with other leaves had made it. */
const asOlderVersion = async (folder: string): Promise<void> => {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8');
  const path = join(folder, contents.parse(JSON.parse(text)).manifest.state.file);
  const rows = gunzipSync(await readFile(path)).toString();
  const older = gzipSync(rows.replaceAll('palimpsest/event/v2', 'palimpsest/event/v1'));
  await writeFile(path, older);
  const { manifest }: { manifest: unknown } = JSON.parse(text, (name, value) =>
    name === 'state' ? { ...value, bytes: older.length, sha256: sha256(older) } : value,
  );
  const changed = { sha256: sha256(JSON.stringify(manifest)), manifest };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(changed));
};
