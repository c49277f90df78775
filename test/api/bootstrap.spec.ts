import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readyAt } from './support/api-server.js';

const PALIMPSEST = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));

/** Guarantee: the first start creates an API key that no reader of its output can see; later starts create none. */
describe('first API key', () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'palimpsest-bootstrap-'));
  });
  afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

  const started = async (
    settings: NodeJS.ProcessEnv,
    use: (url: string, shown: () => { readonly stdout: string; readonly stderr: string }) => Promise<void>,
  ): Promise<void> => {
    const { PALIMPSEST_API_KEY: _, ...env } = process.env;
    const child = spawn(process.execPath, [PALIMPSEST, 'serve'], {
      env: { ...env, PALIMPSEST_DATA: data, PALIMPSEST_HTTP_PORT: '0', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
    try {
      await use(await readyAt(child), () => ({ stdout, stderr }));
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0); // As guides/operating.md says.
  };
  const statusFor = async (url: string, key: string): Promise<number> =>
    (await fetch(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })).status;

  it('is written to a file of mode 0600, whose configurable path is logged, and never to the output', async () => {
    let key = '';
    await started({}, async (url, shown) => {
      const named = shown()
        .stderr.split('\n')
        .find((line) => line.includes('"first-key-written"'));
      const { file }: { file: string } = JSON.parse(named ?? '{}');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      key = (await readFile(file, 'utf8')).trim();
      expect(await statusFor(url, key)).toBe(200);
      // The two outputs are separate pipes: a line of one says nothing about the arrival of the other.
      const { stdout, stderr } = shown();
      expect(`${stdout}${stderr}`).not.toContain('pal_');
      expect(stdout).toContain(`Bearer $(cat '${file}')`);
      expect(stderr).not.toContain('key-file-readable');
    });
    const file = join(data, 'automation.key');
    await writeFile(file, 'a-key-from-a-file\n');
    await chmod(file, 0o644);
    await started({ PALIMPSEST_BOOTSTRAP_KEY_FILE: file }, async (url, shown) => {
      expect(await statusFor(url, key)).toBe(200);
      expect(shown().stdout).not.toContain('pal_');
      expect(shown().stdout).toContain('Bearer $PALIMPSEST_API_KEY');
      expect(await statusFor(url, 'a-key-from-a-file')).toBe(200);
      expect(await statusFor(url, 'another-key-of-16')).toBe(401);
      while (!shown().stderr.includes(`"key-file-readable","file":"${file}","mode":"0644"`)) await pause(20);
      expect(shown().stderr).toContain(`chmod o= ${file}`);
    });
  });
});
