import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_KEY, ServiceProcess } from '@app/deployments';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { type Call, WRITES_AND_READS } from './support/writes-and-reads.js';

type Health = { readonly status: string; readonly worker?: string };

/** Guarantee: the death of the background worker delays compactions and rows, loses none, and it never outlives its service. */
describe('background worker of a service', () => {
  let folder: string;
  let service: ServiceProcess;
  let url: string;
  const start = async (): Promise<void> => {
    service = ServiceProcess.start('api', {
      PALIMPSEST_DATA: folder,
      PALIMPSEST_HTTP_PORT: '0',
      PALIMPSEST_API_KEY: ADMIN_KEY,
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    url = await service.url();
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-background-'));
    await start();
  });
  afterAll(async () => {
    await service.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
  const call = async <Body>(method: string, path: string, body?: unknown): Promise<Body> =>
    JSON.parse((await ask(method, path, body)) || '{}');
  /** Resolves with the ID of the process of the newest worker after `dead`. */
  const worker = async (dead: readonly unknown[] = []): Promise<number> => {
    const { pid } = await service.line((line) => line.event === 'worker-ready' && !dead.includes(line.pid));
    return Number(pid);
  };
  const messages = Array.from({ length: 8 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at} ${'quite a few words '.repeat(220)}`,
  }));
  /** Opens a session and fills it above its threshold. */
  const fill = async (session: string): Promise<void> => {
    await call('POST', '/v1/sessions', { session, window: 4_000 });
    await call('POST', `/v1/sessions/${session}/messages`, { messages, stopReason: 'end_turn' });
  };
  const compacted = async (session: string): Promise<void> => {
    for (;;) {
      const path = `/v1/compactions?session=${session}`;
      const { items } = await call<{ items: readonly { outcome: string }[] }>('GET', path);
      if (items.some(({ outcome }) => outcome === 'completed')) return;
      await pause(20);
    }
  };
  const completed = async (): Promise<number> => {
    const text = await fetch(`${url}/metrics`).then((response) => response.text());
    return Number(/palimpsest_compactions_total\{[^}]*outcome="completed"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  const health = () => call<Health>('GET', '/health');
  const isAlive = (pid: number): boolean => {
    try {
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
    } catch {
      return false;
    }
  };

  it('compacts and projects, and its metrics are among those of the service', async () => {
    await worker();
    await fill('first');
    await compacted('first');
    expect(await completed()).toBe(1);
    expect(await health()).toMatchObject({ status: 'ready', worker: 'running' });
  });

  describe('that stands still', () => {
    let pid: number;
    beforeAll(async () => {
      pid = await worker();
      process.kill(pid, 'SIGSTOP');
    });
    afterAll(() => void process.kill(pid, 'SIGCONT'));

    it.each(WRITES_AND_READS)(
      'answers no stale read to the writer of $resource',
      async ({ writes, reads }) => {
        const answers: Record<string, unknown>[] = [];
        for (const write of writes) {
          const [method, path, body]: Call = typeof write === 'function' ? write(answers) : write;
          answers.push(await call(method, path, body));
        }
        const filled = (text: string): string =>
          text.replace(/\$(\d)\.(\w+)/g, (_, at, member) => String(answers[at]?.[member]));
        const reading = reads.map(async ([path, text, not]) => {
          const answer = await ask('GET', filled(path));
          const isFound = answer.includes(filled(text));
          return [path, isFound === (not === undefined) ? 'current' : answer];
        });
        process.kill(pid, 'SIGCONT');
        const found = await Promise.all(reading);
        process.kill(pid, 'SIGSTOP');
        expect(found).toEqual(reads.map(([path]) => [path, 'current']));
      },
    );

    it('shows a tenant to the command line that has added it, without waiting for rows', async () => {
      const over = ['--url', url, '--api-key', ADMIN_KEY];
      expect(await runCli(['tenants', 'add', 'cli', ...over])).toMatchObject({ exitCode: 0 });
      expect(await runCli(['tenants', 'show', 'cli', ...over])).toMatchObject({ exitCode: 0 });
    });
  });

  it('is restarted after a kill, and completes the compactions requested in between', async () => {
    const killed = await worker();
    process.kill(killed, 'SIGKILL');
    await service.line(({ event }) => event === 'worker-ended');
    expect(await health()).toMatchObject({ status: 'ready', worker: 'restarting' });
    await fill('second');
    expect(await worker([killed])).not.toBe(killed);
    await compacted('second');
    expect(await completed()).toBe(2);
    expect(await health()).toMatchObject({ worker: 'running' });
  });

  it('ends when its service is killed, and the next service continues', async () => {
    const pids = service.lines.filter(({ event }) => event === 'worker-ready').map(({ pid }) => Number(pid));
    await service.end('SIGKILL');
    while (pids.some(isAlive));
    await start();
    await worker();
    await fill('third');
    await compacted('third');
  });

  it('stops with its service, which exits with 0', async () => {
    const pid = await worker();
    expect(await service.end()).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(service.lines.map(({ event }) => event)).not.toContain('worker-ended');
  });
});
