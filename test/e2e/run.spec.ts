import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';

const PROGRAM = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));

/** Stands for Claude Code: sends one request as it does, and ends with the exit code that it is told. */
const CLAUDE = `#!/usr/bin/env node
const [what] = process.argv.slice(2);
if (what === '--version') { console.log('9.9.9 (a stand-in)'); process.exit(0); }
if (what === 'wait') {
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
  console.log('waiting');
} else {
  const lines = process.env.ANTHROPIC_CUSTOM_HEADERS.split('\\n').map((line) => line.split(/: (.*)/s));
  const headers = Object.fromEntries(lines.map(([name, value]) => [name, value]));
  fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { ...headers, 'x-api-key': 'the-providers-key', 'anthropic-version': '2023-06-01',
      'content-type': 'application/json', 'x-claude-code-session-id': 'claude-session-1' },
    body: JSON.stringify({ model: 'claude-opus-4-6', max_tokens: 200,
      tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
      messages: [{ role: 'user', content: 'Good morning.' }] }),
  }).then(async (response) => {
    const { content } = await response.json();
    console.log(content[0].text);
    process.exit(Number(what));
  });
}
`;

describe('palimpsest run and doctor', () => {
  let upstream: AnthropicServer;
  let folder: string;
  let data: string;
  let env: Record<string, string>;
  const palimpsest = (...args: readonly string[]) => runCli(args, { env });

  beforeAll(async () => {
    upstream = await AnthropicServer.start();
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-run-'));
    data = join(folder, 'data');
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/claude'), CLAUDE, { mode: 0o755 });
    env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      PALIMPSEST_DATA: data,
      ANTHROPIC_BASE_URL: upstream.url,
    };
  });
  afterAll(async () => {
    await upstream.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  it('runs an agent with a service of its own, and reports the saved sessions', async () => {
    upstream.reply(answer('Good morning to you.'));
    const options = ['--title', 'Größe', '--label', 'team=a,b', '--project', 'shop', '--ladder', 'truncate'];
    const ran = await palimpsest('run', 'claude', ...options, '--', '3');
    expect(ran).toMatchObject({ exitCode: 3, stdout: 'Good morning to you.\n' });
    expect(ran.stderr.split('\n')).toEqual([
      `palimpsest: started the service on ${data}`,
      'palimpsest: saved 1 session with 2 messages and 0 compactions: claude-session-1',
      'palimpsest: `palimpsest context claude-session-1` shows the next request, `palimpsest sessions` all sessions',
      '',
    ]);
    expect(JSON.parse((await palimpsest('sessions', '--json')).stdout)).toMatchObject([
      { agent: 'claude-code', title: 'Größe', project: 'shop', labels: { team: 'a,b' }, messages: 2 },
    ]);
    const events = (await palimpsest('events', 'claude-session-1', '--json')).stdout.trim().split('\n');
    expect(events.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        type: 'RequestComposed',
        data: expect.objectContaining({ ladderOption: 'truncate' }),
      }),
    );
    expect(JSON.parse((await palimpsest('keys', 'list', '--json')).stdout)).toMatchObject([
      { role: 'agent', label: 'run claude', state: 'revoked' },
    ]);
  });

  it('shares its service with a second run, passes signals on, and leaves nothing running', async () => {
    const waiting = spawn(process.execPath, [PROGRAM, 'run', 'claude', '--', 'wait'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(waiting, 'exit');
    await once(waiting.stdout, 'data');
    // Of runs that were killed: one process is gone, and the pid of the other is another's now.
    await writeFile(join(data, 'runs/4194303'), JSON.stringify({ pid: 4_194_303, started: 'earlier' }));
    await writeFile(
      join(data, `runs/${process.pid}`),
      JSON.stringify({ pid: process.pid, started: 'earlier' }),
    );
    upstream.reply(answer('A second one.'));
    const second = await palimpsest('run', 'claude', '--', '0');
    expect(second).toMatchObject({ exitCode: 0, stdout: 'A second one.\n' });
    expect(second.stderr).not.toContain('the service on');
    waiting.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
    expect(await readdir(join(data, 'runs'))).toEqual([]);
    expect(await readdir(data)).not.toContain('service.json');
  });

  it('stops the service if it is interrupted before the agent starts', async () => {
    const other = join(folder, 'interrupted');
    const starting = spawn(process.execPath, [PROGRAM, 'run', 'claude', '--data', other, '--', 'wait'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(starting, 'exit');
    const said = text(starting.stdout);
    while (!(await readdir(other).catch((): string[] => [])).includes('run.log')) await pause(20);
    starting.kill('SIGINT');
    expect([await ended, await said]).toEqual([[130, null], '']);
    // A service that still ran would hold the folder.
    expect(await palimpsest('sessions', '--json', '--data', other)).toMatchObject({
      exitCode: 0,
      stdout: '[]\n',
    });
  });

  it('names a missing part in one line', async () => {
    const blocked = createServer().listen(0, '127.0.0.1');
    await once(blocked, 'listening');
    const address = blocked.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    for (const [args, more, line] of [
      [
        ['run', 'codex'],
        { PATH: join(folder, 'none') },
        /^palimpsest: codex cannot be started: install it with `npm install -g @openai\/codex`, or .*\[agent-not-found\]$/,
      ],
      [['run', 'claude', '--data', join(folder, 'bin/claude')], {}, /\[data-folder-unusable\]$/],
      [
        ['run', 'claude', '--profile', ''],
        {},
        /'--profile <profile>' does not take '': give a text of 1 to 64/,
      ],
      [
        ['run', 'claude', '--profile', 'nope'],
        {},
        /^palimpsest: there is no profile "nope": use one of core, .*deterministic \[unknown-profile\]$/,
      ],
      [['run', 'claude'], { PALIMPSEST_HTTP_PORT: port }, /port \d+ is in use: .*\[port-in-use\]$/],
      [['run', 'claude'], { PALIMPSEST_URL: `http://127.0.0.1:${port}` }, /\[invalid-configuration\]$/],
      [
        ['run', 'nobody'],
        {},
        /^palimpsest: argument <agent> does not take 'nobody': give one of claude, codex/,
      ],
    ] as const) {
      const { exitCode, stderr } = await runCli(args, { env: { ...env, ...more } });
      expect([args, exitCode === 0]).toEqual([args, false]);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr.trim()).toMatch(line);
    }
    blocked.close();
  });

  it('checks the machine', async () => {
    const blocked = createServer().listen(0, '127.0.0.1');
    await once(blocked, 'listening');
    const address = blocked.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const examined = async (more: Readonly<Record<string, string>>) => {
      const { exitCode, stdout } = await runCli(['doctor', '--json'], { env: { ...env, ...more } });
      const results: { check: string; status: string; found: string; advice: string | null }[] =
        JSON.parse(stdout);
      return { exitCode, of: Object.fromEntries(results.map((one) => [one.check, one])) };
    };
    const well = await examined({ PALIMPSEST_HTTP_PORT: '0', PALIMPSEST_GATEWAY_ANTHROPIC: upstream.url });
    expect(well.exitCode).toBe(0);
    expect(well.of).toMatchObject({
      node: { status: 'ok' },
      'data folder': { status: 'ok', found: data },
      service: { status: 'ok' },
      'upstream Anthropic': { status: 'ok' },
      'key OpenAI': { status: 'warn' },
      'agent claude': { status: 'ok', found: '9.9.9' },
    });
    const bare = await examined({ PATH: join(folder, 'none') });
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isNewer = major > 22 || (major === 22 && minor >= 19);
    expect(bare.of['agent pi']?.found).toBe(
      `not installed; install it with \`npm install -g @${isNewer ? 'earendil-works' : 'mariozechner'}/pi-coding-agent\``,
    );
    const shared = await examined({ PALIMPSEST_DATA: folder });
    expect(shared.of['data folder']).toMatchObject({ status: 'ok', found: folder });
    const upstreams = {
      PALIMPSEST_GATEWAY_ANTHROPIC: 'http://127.0.0.1:1',
      PALIMPSEST_GATEWAY_OPENAI: 'http://127.0.0.1:1',
    };
    const ill = await examined({
      PALIMPSEST_HTTP_PORT: port,
      PALIMPSEST_DATA: join(folder, 'bin/claude'),
      PALIMPSEST_URL: 'http://127.0.0.1:1',
      PALIMPSEST_API_KEY: 'pal_a_key_of_nobody_at_all',
      ...upstreams,
    });
    blocked.close();
    expect(ill.exitCode).toBe(1);
    expect(ill.of).toMatchObject({
      'data folder': { status: 'fail', found: expect.stringContaining('is no folder') },
      port: { status: 'fail', advice: expect.stringContaining('PALIMPSEST_HTTP_PORT') },
      service: { status: 'fail', found: expect.stringContaining('none answers') },
      'key Anthropic': { status: 'warn' },
    });
    // The upstreams of a remote service are its own.
    expect(ill.of).not.toHaveProperty(['upstream Anthropic']);
    expect((await examined(upstreams)).of).toMatchObject({ 'upstream Anthropic': { status: 'fail' } });
    expect(Object.values(ill.of).every(({ status, advice }) => (status === 'ok') === (advice === null))).toBe(
      true,
    );
    const short = { PALIMPSEST_API_KEY: 'short', PALIMPSEST_URL: 'http://127.0.0.1:1' };
    const wrong = await examined({ ...short, PALIMPSEST_DATA: join(folder, 'bin/claude') });
    expect(wrong.of).toMatchObject({
      settings: { status: 'fail', found: expect.stringContaining('PALIMPSEST_API_KEY') },
      'data folder': { status: 'fail' },
      service: { status: 'fail', found: expect.stringContaining('none answers') },
      'agent claude': { status: 'ok' },
    });
  });
});
