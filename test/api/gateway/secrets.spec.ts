import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, fail, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { newDataFolder } from '../../support/deployments/processes/data-folder.js';
import { KEY, PROGRAM, readyAt } from '../support/api-server.js';
import { Sink } from './support/sink.js';

const PLANTED = {
  providersKey: 'sk-planted-4711',
  header: 'planted-header-0815',
  question: 'Zwiebelfisch',
  answered: 'Kaltmamsell',
  thought: 'Hurenkind',
  system: 'Schusterjunge',
  path: 'planted/path/Jungfrau',
};
/** Events whose purpose is to contain messages. */
const OF_CONTENT: ReadonlySet<string> = new Set(['SessionOpened', 'MessageAppended', 'RequestPartsChanged']);
const MODEL = 'claude-opus-4-6';

let upstream: AnthropicServer;
let sink: Sink;
let data: string;
let url: string;
let log = '';
let stop: () => Promise<void>;

beforeAll(async () => {
  upstream = await AnthropicServer.start();
  sink = await Sink.start();
  data = await newDataFolder('palimpsest-planted-');
  const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM], {
    env: {
      ...process.env,
      ...{ PALIMPSEST_DATA: data, PALIMPSEST_HTTP_PORT: '0', PALIMPSEST_API_KEY: KEY },
      ...{ PALIMPSEST_LOG_LEVEL: 'debug', PALIMPSEST_GATEWAY_ANTHROPIC: upstream.url },
      ...{ PALIMPSEST_GATEWAY_OPENAI: 'http://127.0.0.1:9/v1', PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' },
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hear = (bytes: Buffer): void => {
    log += bytes.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  url = await readyAt(child);
  child.stderr.on('data', hear);
  stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
});
afterAll(async () => {
  await upstream.close();
  await rm(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const send = async (method: string, path: string, body?: object): Promise<string> => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.text();
};
const get = async (path: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${KEY}` } })).text();
/** Returns a pending delivery that is also a dead letter. */
const deliveriesOf = async (webhook: string): Promise<string> => {
  await sink.called();
  const pending = await get(`/v1/webhooks/${webhook}/deliveries?state=pending`);
  const [delivery] = JSON.parse(pending).items;
  const path = `/v1/webhooks/${webhook}/deliveries`;
  const skipped = await send('POST', `${path}/${delivery.delivery}/skip`, {
    reason: 'to have a dead letter',
  });
  return [pending, skipped, await get(`${path}?state=dead`)].join('\n');
};

it('leaks neither keys nor content into logs, errors, audit, metrics, traces, webhooks or event metadata', async () => {
  const hook = await send('POST', '/v1/webhooks', { url: `${sink.url}/hook`, sessions: ['planted'] });
  const client = new Anthropic({
    ...{ apiKey: PLANTED.providersKey, baseURL: `${url}/gateway/anthropic`, maxRetries: 0 },
    defaultHeaders: {
      'x-palimpsest-key': KEY,
      'x-palimpsest-session': 'planted',
      'x-custom': PLANTED.header,
    },
  });
  const asked = {
    ...{ model: MODEL, max_tokens: 2_000, system: PLANTED.system },
    messages: [{ role: 'user' as const, content: PLANTED.question }],
  };
  const failed: unknown[] = [];
  const ask = (body: Anthropic.MessageCreateParamsNonStreaming) =>
    client.messages.create(body).catch((error: unknown) => failed.push(error));
  upstream.reply(
    answer(thinking(PLANTED.thought), PLANTED.answered, call('read', { path: PLANTED.path })),
    fail('rate-limited'),
  );
  await ask({
    ...asked,
    thinking: { type: 'adaptive' },
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
  });
  await ask({ ...asked, messages: [{ role: 'user', content: `${PLANTED.question} again` }] });
  await ask({ ...asked, model: 'm'.repeat(3), messages: [] });
  const openai = new OpenAI({
    ...{ apiKey: PLANTED.providersKey, baseURL: `${url}/gateway/openai/v1`, maxRetries: 0 },
    defaultHeaders: { 'x-palimpsest-key': KEY },
  });
  const messages = [{ role: 'user' as const, content: PLANTED.question }];
  await openai.chat.completions
    .create({ model: 'gpt-5', messages })
    .catch((error: unknown) => failed.push(error));
  const errors = failed.map((error) => JSON.stringify(Object(error).error)).join('\n');
  expect(errors).toContain('cannot reach this provider');

  const events = (await get('/v1/sessions/planted/events'))
    .split('\n')
    .filter(Boolean)
    .map((line): Record<string, unknown> => JSON.parse(line));
  const facts = events.map(({ type, data: told, ...metadata }) =>
    OF_CONTENT.has(String(type)) ? metadata : { ...metadata, told },
  );
  const seen = [
    errors,
    JSON.stringify(facts),
    await get('/metrics'),
    await get('/v1/audit?limit=1000'),
    await get('/health'),
    await deliveriesOf(JSON.parse(hook).webhookId),
  ];
  await stop();
  const sent = sink.close();
  const everything = [...seen, log, sent].join('\n');
  expect(sent).toContain('/v1/traces');
  expect(sent).toContain('/hook');
  expect(log).toMatch(/"route":"\/gateway\/anthropic\/v1\/messages",.*"session":"planted"/);
  for (const [what, planted] of Object.entries({ ...PLANTED, ownKey: KEY }))
    expect({ what, isSeen: everything.includes(planted) }).toEqual({ what, isSeen: false });
  expect(JSON.stringify(events)).not.toContain(PLANTED.providersKey);
  expect(JSON.stringify(events)).not.toContain(PLANTED.header);
});
