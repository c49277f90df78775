import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder, runCli } from '../support/cli.js';
import type { CliResult } from '../support/shell/shell.js';
import { ApiServer, KEY } from './support/api-server.js';

/** What two runs of the same commands can never have in common: ids of events, times, places in the log, and who calls. */
const comparable = ({ exitCode, stdout, stderr }: CliResult): CliResult => ({
  exitCode,
  stdout: plain(stdout),
  stderr: plain(stderr),
});

const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"position":"\d+"/g, '"position":"N"')
    .replace(/"durationMs":\d+/g, '"durationMs":0')
    .replace(/\d+ ms\b/g, 'N ms')
    .replace(/recorded by (cli|key:[\w-]+)/g, 'recorded by CALLER')
    .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replace(/worker:[\w.-]+:\d+/g, 'worker:W')
    .replace(/"(actor|by|registeredBy)":"(cli|key:[\w-]+)"/g, '"$1":"CALLER"');

const MESSAGES = Array.from({ length: 24 }, (_, at) => ({
  id: `m${at}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${at}: ${'the build of src/app.ts fails, and the test must pass. '.repeat(12)}`,
}));

/** An answer with a thought, and the turn after it: where the caller marks the thought, requests do without it. */
const THOUGHTFUL = [
  { id: 'q1', role: 'user', content: 'Is the port free?' },
  {
    id: 'a1',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'PONDERED at length whether 8420 is taken.', signature: 'c2ln' },
      { type: 'text', text: 'Yes, it is free.' },
    ],
  },
  { id: 'q2', role: 'user', content: 'Then use it.' },
];

/** The commands of the scenario, in their order; the names of compaction and request are known when they have run. */
const scenario = (
  file: string,
  compaction: () => string,
  request: () => string,
): readonly (() => readonly string[])[] => [
  () => ['open', 's', '--window', '20k', '--system', 'Be brief.', '--label', 'team=a', '--json'],
  () => ['append', 's', file, '--complete-turn', '--json'],
  () => ['append', 's', file],
  () => ['context', 's', '--json'],
  () => ['compact', 's', '--dry-run'],
  () => ['compact', 's', '--json'],
  () => ['compose', 's', '--json'],
  () => ['context', 's', '--request', request()],
  () => ['context', 's', '--request', request(), '--json'],
  () => ['context', 's', '--as-of', '20'],
  () => ['explain', 's', compaction()],
  () => ['explain', 's', compaction(), '--json'],
  () => ['provenance', 's', 'm0', '--json'],
  () => ['message', 's', 'm0', '--block', '0', '--line', '1', '--json'],
  () => ['diff', 's', '20', '27', '--json'],
  () => ['what-if', 's', '--profile', 'core', '--json'],
  () => ['pin', 's', 'No new dependencies.', '--id', 'rule', '--json'],
  () => ['revert', 's', '--json'],
  () => ['fork', 's', '--as', 't', '--json'],
  () => ['settings', 's', '--window', '30k', '--json'],
  () => ['settings', 's', '--system', 'Be long.', '--tools', '[]'],
  () => ['context', 's'],
  () => ['export', 's', '--as-of', request()],
  () => ['export', 's'],
  () => ['reset', 't'],
  () => ['context', 'nobody'],
  () => ['close', 't', '--json'],
  () => ['events', 't', '--from', '1'],
  () => ['open', 'r', '--window', '20k'],
  () => ['append', 'r', join(dirname(file), 'thoughtful.json'), '--disposable-reasoning'],
  () => ['provenance', 'r', 'a1'],
  () => ['compose', 'r', '--ladder', 'truncate', '--json'],
  () => ['compose', 'r', '--ladder', 'sideways'],
  () => ['prompts', 'register', 'mine', '--system', join(dirname(file), 'system.txt')],
  () => ['prompts', 'own', '--json'],
  () => ['prompts', 'show', 'mine', '--json'],
  () => ['prompts', 'show', 'theirs'],
  () => ['limits', 'change', '--requests-per-minute', '29000'],
  () => ['summarizers', 'set', 'mine', 'openai-chat:m#key', 'extractive', '--default'],
  () => ['audit', '--session', 's', '--type', 'CompactionCompleted', '--json'],
];

describe('the command line over HTTP', () => {
  let api: ApiServer;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-cli-http-'));
    file = join(folder, 'messages.json');
    await writeFile(file, JSON.stringify(MESSAGES));
    await writeFile(join(folder, 'thoughtful.json'), JSON.stringify(THOUGHTFUL));
    await writeFile(join(folder, 'system.txt'), 'Summarize for a colleague who takes over.');
    api = await ApiServer.start();
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const overHttp = (...args: readonly string[]): Promise<CliResult> =>
    runCli([...args, '--url', api.url, '--api-key', KEY]);

  /** What each command said, as it can be compared. */
  const played = async (
    run: (args: readonly string[]) => Promise<CliResult>,
  ): Promise<readonly CliResult[]> => {
    const results: CliResult[] = [];
    let [compaction, request] = ['none', 'none'];
    const commands = scenario(
      file,
      () => compaction,
      () => request,
    );
    for (const args of commands) {
      const result = await run(args());
      compaction = /cmp_[0-9a-f]+/.exec(result.stdout)?.[0] ?? compaction;
      request = /req-\d+-[0-9a-f]{12}/.exec(result.stdout)?.[0] ?? request;
      results.push(comparable(result));
    }
    return results;
  };

  it('prints what it prints on the parts of this machine', async () => {
    const local = await CliFolder.shared();
    const [here, there] = await Promise.all([
      played((args) => local.attempt(...args)),
      played((args) => overHttp(...args)),
    ]).finally(() => local.remove());
    expect(there).toEqual(here);
    expect(here.filter(({ exitCode }) => exitCode !== 0)).toHaveLength(4);
    const stdout = here.map((result) => result.stdout).join('');
    expect(stdout).toContain('the caller has marked its reasoning as disposable');
    expect(stdout).toContain('Yes, it is free.');
    expect(stdout).not.toContain('PONDERED');
    expect(stdout).toContain('Summarize for a colleague who takes over.');
    const [named, plain] = here.filter(
      ({ stdout }) => stdout.includes('digest matches') || stdout.includes('"digestMatches":true'),
    );
    expect(named?.stdout).toMatch(/^request {3}req-\d+-[0-9a-f]{12}, digest matches/m);
    expect(plain?.exitCode).toBe(0);
    expect(here.some(({ stdout }) => /^system {4}Be long\.$/m.test(stdout))).toBe(true);
  });

  it('says in one line what is wrong with a service, a key or an option', async () => {
    const faults = await Promise.all([
      runCli(['sessions', '--url', api.url, '--api-key', 'pal_wrong']),
      runCli(['sessions', '--url', `${api.url}/elsewhere`, '--api-key', KEY]),
      runCli(['sessions', '--url', api.url]),
      overHttp('sessions', '--tenant', 'other'),
      overHttp('projections', 'status'),
    ]);
    expect(faults.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 2, 1]);
    const said = faults.map(({ stderr }) => stderr);
    for (const text of said) expect(text).toMatch(/^palimpsest: [^\n]+\n$/);
    expect(said.map((text) => /\[([a-z-]+)\]\n$/.exec(text)?.[1])).toEqual([
      'unauthenticated',
      'route-not-found',
      'invalid-configuration',
      undefined,
      'invalid-configuration',
    ]);
    expect(said.join('')).not.toContain('pal_');
  });
});
