import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AnthropicServer, answer, call, OpenAiServer, type Reply } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PI_PACKAGE } from '../../support/pi/package.js';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const WINDOW = 6_000;
const PROMPTS = ['Read the file four times.', 'And again.', 'Once more.', 'What did it say?'];
const READS = 4;
const APIS = ['anthropic-messages', 'openai-completions', 'openai-responses'] as const;
const MODELS = {
  'anthropic-messages': 'claude-opus-4-6',
  'openai-completions': 'gpt-5',
  'openai-responses': 'gpt-5',
};

const suite = PI_PACKAGE === undefined ? describe.skip : describe;

/**
 * A coding agent from npm, run headless with another base URL and one more header. `PALIMPSEST_DIFF_PI` is its path.
 */
suite('coding agent behind the gateway', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;
  let folder: string;
  let replies = 0;
  /** Answers a prompt after several reads, each in a step of its own. */
  const script = (): Reply => {
    replies += 1;
    return replies % (READS + 1) === 0
      ? answer(`Done ${replies}.`)
      : answer(call('read', { path: 'big.txt' }));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-agent-'));
    await writeFile(join(folder, 'big.txt'), 'The quick brown fox jumps over the lazy dog.\n'.repeat(80));
    anthropic = await AnthropicServer.start({ script, windows: { 'claude-opus-4-6': 2 * WINDOW } });
    openai = await OpenAiServer.start({ script, windows: { 'gpt-5': 2 * WINDOW } });
    api = await ApiServer.start({
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
    });
    const providers = Object.fromEntries(APIS.map((name) => [`gw-${name}`, providerOf(name)]));
    await writeFile(join(folder, 'models.json'), JSON.stringify({ providers }));
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([anthropic.close(), openai.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const providerOf = (name: (typeof APIS)[number]) => ({
    baseUrl: name === 'anthropic-messages' ? `${api.url}/gateway/anthropic` : `${api.url}/gateway/openai/v1`,
    ...{ api: name, apiKey: 'the-providers-key' },
    headers: { 'x-palimpsest-key': KEY, 'x-palimpsest-session': name, 'x-palimpsest-window': String(WINDOW) },
    // A large window, so that only the gateway compacts.
    models: [
      { id: MODELS[name], contextWindow: 1_000_000, maxTokens: 1_000, reasoning: false, input: ['text'] },
    ],
  });

  const run = async (name: (typeof APIS)[number], prompt: string, isFirst: boolean): Promise<string> => {
    const child = spawn(
      process.execPath,
      [
        ...[join(PI_PACKAGE ?? '', 'dist/cli.js'), '--print', '--offline', '--no-extensions', '--no-skills'],
        ...['--no-context-files', '--no-prompt-templates', '--system-prompt', 'Be brief.', '--tools', 'read'],
        ...['--provider', `gw-${name}`, '--model', MODELS[name], '--session-dir', join(folder, name)],
        ...(isFirst ? [] : ['--continue']),
        prompt,
      ],
      {
        cwd: folder,
        env: { ...process.env, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out.trim() + (out.trim() === '' ? errors : '');
  };

  it.each(APIS)('keeps its transcript over %s, and every request is valid', async (name) => {
    replies = 0;
    for (const [at, prompt] of PROMPTS.entries())
      expect(await run(name, prompt, at === 0)).toBe(`Done ${(at + 1) * (READS + 1)}.`);
    const [file = ''] = await readdir(join(folder, name));
    const own = (await readFile(join(folder, name, file), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'message');
    expect(own).toHaveLength(PROMPTS.length * (2 + 2 * READS));
    const kept = await exportOf(api, name);
    expect(kept.map(({ role }) => role)).toEqual(
      own.map(({ message }) => (message.role === 'toolResult' ? 'user' : message.role)),
    );
    for (const prompt of PROMPTS) expect(JSON.stringify(kept)).toContain(prompt);
    const types = await typesOf(api, name);
    expect(types.filter((type) => type === 'CompactionApplied').length).toBeGreaterThanOrEqual(3);
    for (const { status } of [...anthropic.requests, ...openai.requests]) expect(status).toBe(200);
  });
});
