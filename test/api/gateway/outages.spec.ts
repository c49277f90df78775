import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { ADMIN_KEY, lastingPort, ServiceProcess, sharedSettings } from '@app/deployments';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addCluster } from '../../support/deployments/processes/data-folder.js';

/** Guarantee: agents behind the gateway survive the end or stall of each part of a deployment, and lose no message. */
describe('gateway of a deployment', () => {
  let folder: string;
  let log: SpawnedEventStore;
  let database: SpawnedPostgres;
  let service: ServiceProcess;
  let anthropic: AnthropicServer;
  let client: Anthropic;
  let whenAsked = (): void => undefined;
  let start: () => ServiceProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-outages-'));
    const script = () => {
      whenAsked();
      return answer('Good.');
    };
    anthropic = await AnthropicServer.start({ script });
    log = await spawnEventStore({ dataDir: join(folder, 'log'), port: await lastingPort() });
    await addCluster(join(folder, 'postgres'));
    database = await spawnPostgres({ dataDir: join(folder, 'postgres'), port: await lastingPort() });
    const settings = sharedSettings(log.url, database.url, join(folder, 'unused'), {
      PALIMPSEST_ROLES: 'api',
      PALIMPSEST_HTTP_PORT: String(await lastingPort()),
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_FAIL_OPEN_MS: '300',
    });
    start = () => ServiceProcess.start('api', settings);
    service = start();
    client = new Anthropic({
      ...{ apiKey: 'the-providers-key', baseURL: `${await service.url()}/gateway/anthropic`, maxRetries: 20 },
      defaultHeaders: { 'x-palimpsest-key': ADMIN_KEY, 'x-palimpsest-session': 'long' },
    });
  });
  afterAll(async () => {
    await service.end();
    await Promise.all([log.stop(), database.stop(), anthropic.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const said: string[] = [];
  /** Takes the next turn; returns the outage that the answer tells, if any. */
  const turn = async (): Promise<string | null> => {
    said.push(`Question ${said.length}.`);
    const messages = said.map((content, at) => ({
      role: at % 2 ? ('assistant' as const) : ('user' as const),
      content,
    }));
    const asked = client.messages.create({ model: 'claude-opus-4-6', max_tokens: 500, messages });
    const { data, response } = await asked.withResponse();
    said.push(data.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
    return response.headers.get('x-palimpsest-fail-open');
  };
  const recovered = async (): Promise<void> => {
    while ((await turn()) !== null);
  };
  const exported = async (): Promise<readonly string[]> => {
    const url = `${await service.url()}/v1/sessions/long/export`;
    const lines = await (await fetch(url, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })).text();
    return lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).content[0].text);
  };

  it('goes on while the event store stalls, and while it is gone', async () => {
    await recovered();
    process.kill(log.pid, 'SIGSTOP');
    expect([await turn(), await turn()]).toEqual(['event-store-unavailable', 'event-store-unavailable']);
    process.kill(log.pid, 'SIGCONT');
    await recovered();
    expect(await exported()).toEqual(said);
    const { pid, url } = log;
    process.kill(pid, 'SIGKILL');
    await log.exited;
    expect(await turn()).toBe('event-store-unavailable');
    log = await spawnEventStore({ dataDir: join(folder, 'log'), port: Number(new URL(url).port) });
    await recovered();
    expect(await exported()).toEqual(said);
  });

  it('goes on while PostgreSQL is gone', async () => {
    const { port } = new URL(database.url);
    await database.stop();
    // Places of known histories are in memory: only the next one needs the database.
    for (const outage of [await turn(), await turn(), await turn()])
      expect([null, 'postgres-unavailable']).toContain(outage);
    database = await spawnPostgres({ dataDir: join(folder, 'postgres'), port: Number(port) });
    await recovered();
    expect(await exported()).toEqual(said);
  });

  it('answers the client’s retry when it is killed between a request and its answer', async () => {
    const killed = new Promise<number | null>((resolve) => {
      whenAsked = () => {
        whenAsked = () => undefined;
        resolve(service.end('SIGKILL'));
      };
    });
    const asked = turn();
    await killed;
    service = start();
    await asked; // Unrecorded if the new process meets servers that are slow on a busy machine.
    await recovered();
    expect(await exported()).toEqual(said);
  });
});
