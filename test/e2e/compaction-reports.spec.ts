import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '@app/domain';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder, runCli } from '../support/cli.js';
import { Shell } from '../support/shell/shell.js';

const SAMPLE = 'samples/agent-session.json';

/** Guarantee: the terminal reports each compaction, and hooks are called while its command runs. */
describe('compaction at the terminal', () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'palimpsest-reports-'));
  });
  afterAll(() => rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

  const played = async (
    env: Readonly<Record<string, string>>,
    use: (run: (...args: string[]) => Promise<string>, shell: Shell) => Promise<void>,
  ): Promise<void> => {
    const folder = await mkdtemp(join(data, 'run-'));
    await Shell.on(folder, async (shell) => {
      const run = async (...args: string[]): Promise<string> => {
        const { stdout, stderr, exitCode } = await shell.run([...args, '--data', folder], env);
        if (exitCode > 1) throw new Error(stderr);
        return `${stdout}${stderr}`;
      };
      await use(run, shell);
    });
  };
  const sessionIn = (text: string): string => {
    const { session }: { session: string } = JSON.parse(text);
    return session;
  };

  // Holds rule 5.96.
  it('shows the author of the summary, whether it is reproducible, its cost, its files, and its losses by name', async () => {
    const server = await AnthropicServer.start({
      script: () => answer('## Goal\nShip.\n\n## State\nUnder way.'),
    });
    const keyFile = join(data, 'provider.key');
    await writeFile(keyFile, 'sk-test\n', { mode: 0o600 });
    const env = {
      PALIMPSEST_SUMMARIZER: 'anthropic:claude-opus-4-6',
      PALIMPSEST_ANTHROPIC_API_KEY_FILE: keyFile,
      PALIMPSEST_ANTHROPIC_BASE_URL: server.url,
    };
    try {
      await played(env, async (run) => {
        const session = sessionIn(await run('import', SAMPLE, '--json', '--profile', 'authorized'));
        await run('settings', session, '--set', 'hybrid=false', '--set', 'keepRecentTurns=1');
        const said = await run('compact', session);
        expect(said).toContain('model claude-opus-4-6');
        expect(said).toContain('not reproducible');
        expect(said).toMatch(/^cost {6}\d/m);
        expect(said).toMatch(/^retained {2}from /m);
        expect(said).toContain('## Files (from tool calls)');
        const id = /(cmp_\w+): \d+ billed tokens became/.exec(said)?.[1] ?? '';
        const explained = await run('explain', session, id);
        const lost = /^lost {6}paths: ([^,\n]+)/m.exec(explained)?.[1] ?? '';
        expect(lost).not.toBe('');
        expect(await run('audit', '--lost', lost, '--format', 'csv')).toContain(id);
      });
    } finally {
      await server.close();
    }
  });

  // Holds rule 5.97.
  it('is not retried if the provider rejects the summarizer’s credentials', async () => {
    const server = await AnthropicServer.start({ key: 'another' });
    const keyFile = join(data, 'wrong.key');
    await writeFile(keyFile, 'sk-wrong\n', { mode: 0o600 });
    const env = {
      PALIMPSEST_SUMMARIZER: 'anthropic:claude-opus-4-6',
      PALIMPSEST_ANTHROPIC_API_KEY_FILE: keyFile,
      PALIMPSEST_ANTHROPIC_BASE_URL: server.url,
    };
    try {
      await played(env, async (run) => {
        const session = sessionIn(await run('import', SAMPLE, '--json', '--profile', 'authorized'));
        await run('settings', session, '--set', 'keepRecentTurns=1');
        const said = await run('compact', session);
        expect(said).toContain('failed after 1 attempt');
        expect(said).toContain('it was not retried');
        expect(server.requests).toHaveLength(1);
      });
    } finally {
      await server.close();
    }
  });

  describe('with a hook', () => {
    const heard: string[] = [];
    let hook: Server;
    beforeAll(async () => {
      hook = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (bytes: Buffer) => chunks.push(bytes));
        request.on('end', () => {
          const { type }: { type: string } = JSON.parse(Buffer.concat(chunks).toString());
          heard.push(type);
          response.setHeader('content-type', 'application/json').end('{"decision":"continue"}');
        });
      });
      await new Promise<void>((resolve) => {
        hook.listen(0, '127.0.0.1', resolve);
      });
    });
    afterAll(() => {
      hook.close();
    });

    // Holds rule 5.98.
    it('reports the outcome to it once, before the command ends', async () => {
      const address = hook.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const folder = await CliFolder.make();
      const env = {
        PALIMPSEST_HOOK_URL: `http://127.0.0.1:${port}/`,
        PALIMPSEST_HOOK_SECRET: `whsec_${'A'.repeat(32)}`,
      };
      const run = (...args: string[]) => runCli([...args, '--data', folder.data], { env });
      const { stdout } = await run('import', SAMPLE, '--json', '--profile', 'authorized');
      const session = sessionIn(stdout);
      await run('settings', session, '--set', 'keepRecentTurns=1');
      heard.length = 0;
      expect((await run('compact', session)).exitCode).toBe(0);
      expect(heard).toHaveLength(2);
      const [asked, told] = heard;
      expect(asked).not.toBe(told);
      const events = (await run('events', session)).stdout.split('\n').filter(Boolean);
      expect(
        events
          .map((line): SessionEvent => JSON.parse(line))
          .filter(({ type }) => type === 'CompactionCompleted'),
      ).toHaveLength(1);
      expect(heard).toHaveLength(2);
      await rm(folder.data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    });
  });
});
