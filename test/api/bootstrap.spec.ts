import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROGRAM, readyAt } from './support/api-server.js';

/** Guarantee: the first start shows a key that opens the API, and no later one does. */
describe('the first key', () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'palimpsest-bootstrap-'));
  });
  afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

  const started = async (
    settings: NodeJS.ProcessEnv,
    use: (url: string, shown: () => string) => Promise<void>,
  ): Promise<void> => {
    const { PALIMPSEST_API_KEY: _, ...env } = process.env;
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...env, PALIMPSEST_DATA: data, PALIMPSEST_HTTP_PORT: '0', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    let stdout = '';
    child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
    try {
      await use(await readyAt(child), () => stdout);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  };
  const statusFor = async (url: string, key: string): Promise<number> =>
    (await fetch(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })).status;

  it('is printed once, and still counts at the next start; a file may name another', async () => {
    let key = '';
    await started({}, async (url, shown) => {
      key = /^pal_\w+$/m.exec(shown())?.[0] ?? '';
      expect(await statusFor(url, key)).toBe(200);
    });
    const file = join(data, 'automation.key');
    await writeFile(file, 'a-key-from-a-file\n');
    await started({ PALIMPSEST_BOOTSTRAP_KEY_FILE: file }, async (url, shown) => {
      expect(shown()).not.toMatch(/^pal_/m);
      expect(shown()).toContain('Bearer $PALIMPSEST_API_KEY');
      expect(await statusFor(url, key)).toBe(200);
      expect(await statusFor(url, 'a-key-from-a-file')).toBe(200);
      expect(await statusFor(url, 'another-key-of-16')).toBe(401);
    });
  });
});
