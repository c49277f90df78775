import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '@app/domain';
import { AnthropicServer, answer, fail } from '@app/testing/providers';
import { Shell } from '../support/shell/shell.js';

const KEY = 'sk-planted-in-the-environment';
const GOOD = '## Goal\nGo on as asked.\n\n## State\nUnder way, says the model.';
const SAMPLE = 'samples/agent-session.json';

/** Whether any file below a folder contains the text. */
const isAnywhereIn = async (folder: string, text: string): Promise<boolean> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(text)) return true;
  }
  return false;
};

/** Guarantee: a process with a configured model summarizes with it, and its key does not leak. */
describe('model from the environment', () => {
  let server: AnthropicServer;
  let data: string;
  beforeAll(async () => {
    server = await AnthropicServer.start({ key: KEY, script: () => answer(GOOD) });
    data = await mkdtemp(join(tmpdir(), 'palimpsest-e2e-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(data, { recursive: true, force: true });
  });

  it('writes the summaries of an imported session, and falls back to the extractive summary if it fails', async () => {
    const keyFile = join(data, '..', `${Date.now()}.key`);
    await writeFile(keyFile, `${KEY}\n`);
    const env = {
      PALIMPSEST_SUMMARIZER: 'anthropic:claude-opus-4-6,extractive',
      PALIMPSEST_ANTHROPIC_API_KEY_FILE: keyFile,
      PALIMPSEST_ANTHROPIC_BASE_URL: server.url,
    };
    const said: string[] = [];
    await Shell.on(data, async (shell) => {
      const run = async (...args: string[]): Promise<string> => {
        const { stdout, stderr, exitCode } = await shell.run([...args, '--json', '--data', data], env);
        said.push(stdout, stderr);
        expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
        return stdout;
      };
      const { session } = JSON.parse(await run('import', SAMPLE, '--window', '32k'));
      server.reply(fail('overloaded'));
      await run('compact', session);
      const events = (await run('events', session)).split('\n').filter(Boolean);
      const completed = events.flatMap((line) => {
        const event: SessionEvent = JSON.parse(line);
        return event.type === 'CompactionCompleted' ? [event.data] : [];
      });
      expect(completed[0]?.summarizer).toMatchObject({ name: 'anthropic', model: 'claude-opus-4-6' });
      expect(completed[0]?.summary).toContain('says the model');
      expect(completed[0]?.usage?.inputTokens).toBeGreaterThan(0);
      expect(completed.at(-1)?.summarizer.name).toBe('extractive');
      expect(completed.at(-1)?.attempt).toBe(2);
    });
    expect(said.join('\n').includes(KEY)).toBe(false);
    expect(await isAnywhereIn(data, KEY)).toBe(false);
    await rm(keyFile);
  });
});
