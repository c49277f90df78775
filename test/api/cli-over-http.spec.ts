import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder, runCli } from '../support/cli.js';
import { type CliResult, Shell } from '../support/shell/shell.js';
import { ApiServer, KEY } from './support/api-server.js';

/** Masks the parts that differ between two runs of the same commands: event ids, times, log positions, callers. */
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
    // Lines are broken where the name of the caller lets them fit.
    .replace(/recorded by\s+(cli|key:[\w-]+)\s+at\s+revision/g, 'recorded by CALLER at revision')
    .replace(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replace(/\bwh_[A-Za-z0-9]{12}\b/g, 'WEBHOOK')
    .replace(/\bwhsec_[\w+/=-]+/g, 'WEBHOOK-SECRET')
    .replace(/\bpal_[\w-]+/g, 'KEY')
    .replace(/"keyId":"\w+"/g, '"keyId":"KEY-ID"')
    .replace(/worker:[\w.-]+:\d+/g, 'worker:W')
    .replace(/"(actor|by|registeredBy)":"(cli|key:[\w-]+)"/g, '"$1":"CALLER"');

const MESSAGES = Array.from({ length: 24 }, (_, at) => ({
  id: `m${at}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${at}: ${'the build of src/app.ts fails, and the test must pass. '.repeat(12)}`,
}));

/** Refuses connections: a privileged port that no service uses. */
const RECEIVER = 'http://127.0.0.1:9/hook';

/** An answer with reasoning, and the next turn: requests omit the reasoning if the caller marks it as disposable. */
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

/** The commands of the scenario in order; compaction and request ids are known after they have run. */
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
  () => ['prompts', 'add', 'mine', '--system', join(dirname(file), 'system.txt')],
  () => ['prompts', 'list', '--json'],
  () => ['prompts', 'show', 'mine', '--json'],
  () => ['prompts', 'show', 'theirs'],
  () => ['limits', 'change', '--requests-per-minute', '29000'],
  () => ['summarizers', 'set', 'mine', 'openai-chat:m#key', 'extractive', '--default'],
  () => ['audit', '--session', 's', '--type', 'CompactionCompleted', '--json'],
];

/** Commands for webhooks and tenants in order; the webhook id is known after the first one has run. */
const administration = (webhook: () => string): readonly (() => readonly string[])[] => [
  () => ['webhook', 'add', RECEIVER, '--label', 'chat', '--type', 'CompactionCompleted', '--json'],
  () => ['webhooks', 'show', webhook()],
  () => ['webhooks', 'change', webhook(), '--all-types', '--session', 's', '--content', 'full', '--json'],
  () => ['webhooks', 'rotate', webhook(), '--overlap', '60', '--json'],
  () => ['webhooks', 'list', '--json'],
  () => ['webhooks', 'list'],
  () => ['webhooks', 'deliveries', webhook(), '--state', 'dead', '--json'],
  () => ['webhooks', 'replay', webhook(), '1'],
  () => ['webhooks', 'skip', webhook(), '1', '--reason', 'gone'],
  () => ['webhooks', 'test', webhook(), '--json'],
  () => ['webhooks', 'remove', webhook()],
  () => ['webhooks', 'remove', webhook()],
  () => ['webhooks', 'list'],
  () => ['tenants', 'add', 'acme', '--name', 'Acme Inc.', '--json'],
  () => ['tenants', 'add', 'acme'],
  () => ['tenant', 'show', 'acme', '--json'],
  () => ['tenants', 'show', 'default'],
  () => ['tenants', 'show', 'nobody'],
  () => ['tenants', 'list', '--json'],
];

type Delivery = { readonly delivery: string; readonly attempts: number };

const SETTINGS = { PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' };

describe('command line over HTTP', () => {
  let api: ApiServer;
  let shell: Shell;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-cli-http-'));
    file = join(folder, 'messages.json');
    await writeFile(file, JSON.stringify(MESSAGES));
    await writeFile(join(folder, 'thoughtful.json'), JSON.stringify(THOUGHTFUL));
    await writeFile(join(folder, 'system.txt'), 'Summarize for a colleague who takes over.');
    shell = new Shell();
    api = await ApiServer.start(SETTINGS);
  });
  afterAll(async () => {
    await shell.end();
    await api.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const overHttp = (...args: readonly string[]): Promise<CliResult> =>
    shell.run([...args, '--url', api.url, '--api-key', KEY]);

  /** Runs the commands and returns their masked results. */
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

  it('manages webhooks and tenants as the local command line does', async () => {
    const administered = async (run: (args: readonly string[]) => Promise<CliResult>) => {
      const results: CliResult[] = [];
      let webhook = 'none';
      for (const args of administration(() => webhook)) {
        const result = await run(args());
        webhook = /\bwh_\w{12}/.exec(result.stdout)?.[0] ?? webhook;
        results.push(comparable(result));
      }
      return results;
    };
    const local = await CliFolder.shared();
    const [here, there] = await Promise.all([
      administered((args) => local.with(SETTINGS).attempt(...args)),
      administered((args) => overHttp(...args)),
    ]).finally(() => local.remove());
    expect(there).toEqual(here);
    const refused = here.map(({ stderr }) => /\[([a-z-]+)\]\n$/.exec(stderr)?.[1]).filter(Boolean);
    expect(refused).toEqual([
      'delivery-not-found',
      'delivery-not-found',
      'webhook-not-found',
      'tenant-exists',
      'tenant-not-found',
    ]);
    expect(here.filter(({ exitCode }) => exitCode !== 0)).toHaveLength(6);
  });

  it('prints the same output as the local command line', async () => {
    const local = await CliFolder.shared();
    const [here, there] = await Promise.all([
      played((args) => local.with(SETTINGS).attempt(...args)),
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

  it('fits lists of tenants and webhooks into 80 columns with long names and URLs', async () => {
    const url = `http://127.0.0.1:9/${'path/'.repeat(60)}`;
    const added = await overHttp('webhooks', 'add', url, '--label', 'long '.repeat(30), '--json');
    await overHttp('tenants', 'add', 't'.repeat(30), '--name', 'Long name '.repeat(15));
    const lists = await Promise.all([overHttp('webhooks', 'list'), overHttp('tenants', 'list')]);
    for (const { exitCode, stdout } of lists) {
      expect(exitCode).toBe(0);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    const { webhookId } = JSON.parse(added.stdout);
    expect(lists[0]?.stdout).toContain(webhookId);
    await overHttp('webhooks', 'remove', webhookId);
  });

  it('lists a failing delivery of a webhook, makes it a dead letter and replays it', async () => {
    const { webhookId } = JSON.parse((await overHttp('webhooks', 'add', RECEIVER, '--json')).stdout);
    await overHttp('open', 'watched', '--json');
    const pending = await deliveriesOf(webhookId, ({ attempts }) => attempts > 0);
    expect(pending).toMatchObject({ session: 'watched', state: 'pending', type: 'SessionOpened' });
    const [listed] = JSON.parse((await overHttp('webhooks', 'list', '--json')).stdout);
    expect(listed).toMatchObject({
      webhookId,
      status: 'retrying',
      pending: 1,
      dead: 0,
      lastDelivery: { attempts: 1 },
    });
    const skipped = await overHttp(
      'webhooks',
      'skip',
      webhookId,
      pending.delivery,
      '--reason',
      'gone',
      '--json',
    );
    expect(JSON.parse(skipped.stdout)).toMatchObject({
      delivery: pending.delivery,
      state: 'dead',
      nextAt: null,
    });
    const table = await overHttp('webhooks', 'list');
    expect(table.stdout).toMatch(new RegExp(`^${webhookId} +failing +0 +1 `, 'm'));
    const replayed = await overHttp('webhooks', 'replay', webhookId, pending.delivery, '--json');
    expect(JSON.parse(replayed.stdout)).toMatchObject({ state: 'pending', attempts: 0 });
    expect((await overHttp('webhooks', 'remove', webhookId)).stdout).toBe(
      `webhook ${webhookId} is removed\n`,
    );
  });

  /** Waits for a delivery of the webhook that matches `holds`, and returns it. */
  const deliveriesOf = async (webhook: string, holds: (delivery: Delivery) => boolean): Promise<Delivery> => {
    for (;;) {
      const { stdout } = await overHttp('webhooks', 'deliveries', webhook, '--json');
      const deliveries: readonly Delivery[] = JSON.parse(stdout);
      const found = deliveries.find(holds);
      if (found) return found;
    }
  };

  it('reports an error of service, key or option in one line', async () => {
    const faults = await Promise.all([
      runCli(['sessions', '--url', api.url, '--api-key', 'pal_wrong']),
      runCli(['sessions', '--url', `${api.url}/elsewhere`, '--api-key', KEY]),
      runCli(['sessions', '--url', api.url]),
      overHttp('sessions', '--tenant', 'other'),
      overHttp('projections', 'list'),
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
