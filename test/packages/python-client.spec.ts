import 'reflect-metadata';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PalimpsestClient, PalimpsestError } from '@app/client';
import { ERROR_CODES } from '@app/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS } from '../../apps/api/src/api.module.js';
import { openApiOf } from '../../apps/api/src/openapi/document.js';
import { endpointsIn } from '../../apps/api/src/openapi/endpoints.js';
import { type Received, ScriptedServer } from '../../libs/client/src/spec/scripted-server.js';
import { pythonFiles } from '../../scripts/python-client.mjs';
import { ApiServer, KEY } from '../api/support/api-server.js';
import { CLIENT_CASES, type ClientCase } from './support/client-cases.js';

const run = promisify(execFile);
const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PACKAGE = place('../../libs/client/clients/python/');
const ENV = { ...process.env, PYTHONPATH: `${PACKAGE}src`, PYTHONDONTWRITEBYTECODE: '1' };

/** Whether a program can be started. */
const has = (program: string, ...args: readonly string[]): Promise<boolean> =>
  run(program, args).then(
    () => true,
    () => false,
  );
const hasPython = await has('python3', '-c', 'import sys; assert sys.version_info >= (3, 9)');
const hasMypy = await has('mypy', '--version');
const ifPython = hasPython ? it : it.skip;

/** Runs Python with text on stdin. */
const python = (args: readonly string[], input: string, env: NodeJS.ProcessEnv = ENV): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('python3', args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString());
      else reject(new Error(Buffer.concat(errors).toString()));
    });
    child.stdin.end(input);
  });

/** `WRITE_PYTHON_CLIENT=1` writes the generated files. */
it('has the types and operations of the OpenAPI document', async () => {
  const document = JSON.parse(
    JSON.stringify(openApiOf(endpointsIn([...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS]), {})),
  );
  for (const [name, content] of Object.entries(pythonFiles(document, ERROR_CODES))) {
    const file = `${PACKAGE}src/palimpsest_client/${name}`;
    if (process.env.WRITE_PYTHON_CLIENT === '1') await writeFile(file, content);
    expect([name, await readFile(file, 'utf8')]).toEqual([name, content]);
  }
});

(hasMypy ? it : it.skip)('passes mypy --strict', async () => {
  const options = ['--strict', '--python-version', '3.9', '--cache-dir', '/dev/null'];
  await run('mypy', [...options, `${PACKAGE}src`, place('support/client-cases.py')], {
    env: { ...ENV, MYPYPATH: `${PACKAGE}src` },
  });
});

describe('contract of both clients', () => {
  const servers: ScriptedServer[] = [];
  afterAll(() => {
    for (const server of servers) server.stop();
  });
  const served = async () => {
    const started = await Promise.all(CLIENT_CASES.map(({ script }) => ScriptedServer.start(...script)));
    servers.push(...started);
    return started;
  };
  let ofTypeScript: readonly ScriptedServer[];
  let outcomes: readonly object[];
  beforeAll(async () => {
    ofTypeScript = await served();
    outcomes = await Promise.all(CLIENT_CASES.map((one, at) => outcomeOf(ofTypeScript[at]?.url ?? '', one)));
  });

  it.each(CLIENT_CASES.map((one, at) => [one.title, one, at] as const))(
    '%s, in TypeScript',
    (_, { expected, requests }, at) => {
      expect(outcomes[at]).toMatchObject(expected);
      expectSameKey(ofTypeScript[at]?.received ?? [], requests);
    },
  );

  ifPython('holds in Python, with the same requests', async () => {
    const started = await served();
    const cases = CLIENT_CASES.map(({ script: _, expected: __, ...one }, at) => ({
      ...one,
      url: started[at]?.url,
    }));
    const found: readonly object[] = JSON.parse(
      await python([place('support/client-cases.py')], JSON.stringify(cases)),
    );
    for (const [at, { title, expected, requests }] of CLIENT_CASES.entries()) {
      expect({ title, ...found[at] }).toMatchObject({ title, ...expected });
      expectSameKey(started[at]?.received ?? [], requests);
      expect([title, seen(started[at]?.received ?? [])]).toEqual([
        title,
        seen(ofTypeScript[at]?.received ?? []),
      ]);
    }
  });
});

describe('proxy of the Python client', () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    response.setHeader('content-type', 'application/json').end('{"session": "a"}');
  });
  proxy.on('connect', ({ url, headers }, socket) => {
    asked.push(`CONNECT ${url} ${headers['proxy-authorization']}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  let port = 0;
  beforeAll(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const address = proxy.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(() => void proxy.close());
  const session = (url: string, env: NodeJS.ProcessEnv) =>
    python(
      [
        '-c',
        `import palimpsest_client as p; print(p.Palimpsest("${url}", "pal_key", retries=0).get_session("a"))`,
      ],
      '',
      {
        ...ENV,
        HTTP_PROXY: '',
        HTTPS_PROXY: '',
        NO_PROXY: '',
        http_proxy: '',
        https_proxy: '',
        no_proxy: '',
        ...env,
      },
    );

  ifPython('is that of the environment, unless NO_PROXY names the host', async () => {
    const http_proxy = `http://me:se%3Acret@127.0.0.1:${port}`;
    expect(await session('http://service.example:81/base', { http_proxy })).toContain("'session': 'a'");
    const basic = `Basic ${Buffer.from('me:se:cret').toString('base64')}`;
    expect(asked).toEqual([`GET http://service.example:81/base/v1/sessions/a ${basic}`]);
    await expect(session('https://service.example', { https_proxy: `127.0.0.1:${port}` })).rejects.toThrow(
      'service-unreachable',
    );
    expect(asked.at(-1)).toBe('CONNECT service.example:443 undefined');
    const direct = { http_proxy, no_proxy: '127.0.0.1' };
    await expect(session('http://127.0.0.1:9', direct)).rejects.toThrow('service-unreachable');
    expect(asked).toHaveLength(2);
    await expect(session('http://service.example', { http_proxy: 'socks5://127.0.0.1:1' })).rejects.toThrow(
      'give a proxy such as http://127.0.0.1:3128',
    );
  });
});

/** All attempts of a write have the same idempotency key; reads have none. */
const expectSameKey = (received: readonly Received[], count: number): void => {
  expect(received).toHaveLength(count);
  for (const { method, headers } of received)
    if (method === 'GET') expect(headers).not.toHaveProperty('idempotency-key');
    else expect(headers['idempotency-key']).toBe(received[0]?.headers['idempotency-key']);
};

/** Requests as the service receives them, without generated keys and the form of the encoding. */
const seen = (received: readonly Received[]) =>
  received.map(({ method, path, headers, body }) => ({
    method,
    path: decodeURIComponent(path.replaceAll('+', ' ')),
    accept: headers.accept,
    authorization: headers.authorization,
    ifMatch: headers['if-match'],
    reason: headers['x-palimpsest-reason'],
    lastEventId: headers['last-event-id'],
    type: headers['content-type'],
    body: headers['content-type'] === 'application/json' ? JSON.parse(body) : body,
  }));

const outcomeOf = async (url: string, one: ClientCase): Promise<object> => {
  const { reason, retries } = one;
  const options = { ...(reason !== undefined && { reason }), ...(retries !== undefined && { retries }) };
  try {
    return { result: await called(new PalimpsestClient({ url, apiKey: 'pal_key', ...options }), one) };
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    const { code, status, detail, faults, attempts, retryAfterMs } = error;
    const retryAfterSeconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1_000;
    return { error: { code, status, detail, faults, attempts, retryAfterSeconds } };
  }
};

const called = async (client: PalimpsestClient, one: ClientCase): Promise<unknown> => {
  const { session = 'a', idempotencyKey, ifMatch, count = 0, text } = one;
  switch (one.call) {
    case 'get':
      return client.sessions.get(session);
    case 'append': {
      const messages = [{ role: 'user' as const, content: text ?? 'Größe \u{1f600}' }];
      const options = {
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(ifMatch !== undefined && { ifMatch }),
      };
      return client.sessions.append(session, { messages }, options);
    }
    case 'list':
      return listed(client.sessions.list({ agent: 'x y', limit: 2 }), (item) => item.session);
    case 'export':
      return listed(client.sessions.export(session), (item) => item.id);
    case 'stream':
      return listed(client.stream({ session: 'a', from: 'start' }), (item) => Object(item).n, count);
    case 'import': {
      const bytes = async function* () {
        yield Buffer.from(text ?? '');
      };
      return client.import(bytes, { name: 't.jsonl' });
    }
  }
};

const listed = async <Item, Shown>(
  items: AsyncIterable<Item>,
  show: (item: Item) => Shown,
  count = Number.POSITIVE_INFINITY,
): Promise<readonly Shown[]> => {
  const found: Shown[] = [];
  for await (const item of items) {
    found.push(show(item));
    if (found.length === count) break;
  }
  return found;
};

describe('against the service', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.startAlone();
  });
  afterAll(() => api.stop());

  ifPython('the example of the README prints what it says', async () => {
    const readme = await readFile(`${PACKAGE}README.md`, 'utf8');
    const [, program = ''] = /```python\n(.*?)```/s.exec(readme) ?? [];
    const [, output = ''] = /```text\n(.*?)```/s.exec(readme) ?? [];
    const env = { ...ENV, PALIMPSEST_URL: api.url, PALIMPSEST_API_KEY: KEY };
    expect(await python(['-c', program], '', env)).toBe(output);
  });
});
