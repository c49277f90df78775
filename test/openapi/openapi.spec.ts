import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { formatVerifierKey } from '@app/tlog';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS } from '../../apps/api/src/api.module.js';
import { openApiOf } from '../../apps/api/src/openapi/document.js';
import { endpointsIn, readExamples } from '../../apps/api/src/openapi/endpoints.js';
import { type Answer, ApiServer, KEY } from '../api/support/api-server.js';
import { type Calls, type Exchange, examplesOf, playScenario, WITNESSED_LOG } from './support/scenario.js';
import { compileClient, installTools, lint, runCompiled } from './support/tools.js';

const ENDPOINTS = endpointsIn([...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS]);
const EXAMPLES = fileURLToPath(new URL('../../docs/openapi/examples.json', import.meta.url));
const TRANSCRIPT = '{"role":"user","content":"Hello."}\n{"role":"assistant","content":"Hello to you."}\n';

const isRecording = process.env.RECORD_EXAMPLES === '1';

let api: ApiServer;
let folder: string;
let served: JsonObject;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-openapi-'));
  await installTools();
  const logs = join(folder, 'logs.policy');
  await writeFile(logs, `log ${formatVerifierKey(WITNESSED_LOG)}\nquorum none\n`);
  api = await ApiServer.start({
    PALIMPSEST_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
    PALIMPSEST_WITNESS_LOGS: logs,
    PALIMPSEST_WITNESS_NAME: 'witness.example.com/w1',
  });
  const { body } = await api.call('GET', '/openapi.json');
  served = isJsonObject(body) ? body : {};
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const call: Calls = async (operation, given = {}): Promise<Answer> => {
  const endpoint = ENDPOINTS.find(({ id }) => id === operation);
  if (!endpoint) throw new Error(`there is no operation ${operation}`);
  const path = endpoint.path.replace(/:(\w+)|\*/g, (_, name = 'tile') => given.path?.[name] ?? '');
  const query = given.query === undefined ? '' : `?${given.query}`;
  const isStreamed = endpoint.consumes !== undefined;
  const headers = { ...given.headers, ...(isStreamed && { 'content-type': 'application/octet-stream' }) };
  const body = isStreamed ? (given.body ?? TRANSCRIPT) : given.body;
  const answer = await api.call(endpoint.method, `/${path}${query}`, body, headers);
  const { body: _, ...bodiless } = given;
  exchanges.push({ operation, given: isStreamed ? bodiless : given, answer });
  const { status = 200, alsoStatus } = endpoint;
  if (answer.status !== status && answer.status !== alsoStatus)
    throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
  return answer;
};

it('serves the document of its endpoints as JSON and YAML', async () => {
  expect(served).toEqual(JSON.parse(JSON.stringify(openApiOf(ENDPOINTS, readExamples()))));
  const yaml = await fetch(`${api.url}/openapi.yaml`);
  expect(yaml.headers.get('content-type')).toContain('text/yaml');
  expect(parse(await yaml.text())).toEqual(served);
});

it('names every operation uniquely, by a verb and a noun', () => {
  const ids = ENDPOINTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
});

it('names every repeated object, choice and enumeration', () => {
  const places = new Map<string, string[]>();
  const visit = (value: Json, place: string): void => {
    if (Array.isArray(value)) for (const [at, one] of value.entries()) visit(one, `${place}/${at}`);
    if (!isJsonObject(value)) return;
    const { description: _, default: __, ...shape } = value;
    const isShape = shape.type === 'object' && Object.keys(shape.properties ?? {}).length > 0;
    const isChoice = Array.isArray(shape.enum) && shape.enum.length > 2;
    const text = JSON.stringify(shape);
    if (isShape || isChoice || shape.oneOf !== undefined)
      places.set(text, [...(places.get(text) ?? []), place]);
    for (const [name, member] of Object.entries(value))
      if (name !== 'example') visit(member ?? null, `${place}/${name}`);
  };
  visit(served.components ?? {}, 'components');
  visit(served.paths ?? {}, 'paths');
  expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
});

/**
 * `RECORD_EXAMPLES=1` writes the examples whose members have changed. While examples are recorded, the service has the ones from
 * before.
 */
it('describes the answers of every operation correctly, and has no findings of Redocly and Spectral', async () => {
  await playScenario(call);
  const recorded = examplesOf(exchanges);
  if (isRecording) {
    const known = readExamples();
    const current = Object.entries(recorded).map(([id, example]) => {
      const before = known[id];
      return [id, before && shapeOf(before) === shapeOf(example) ? before : example] as const;
    });
    await writeFile(EXAMPLES, `${JSON.stringify(Object.fromEntries(current), null, 2)}\n`);
  }
  const live = openApiOf(ENDPOINTS, recorded);
  expect(await lint(folder, isRecording ? [live] : [live, served])).toEqual([]);
  expect(namesIn(JSON.parse(await readFile(EXAMPLES, 'utf8')))).toEqual(namesIn(recorded));
  const silent = ENDPOINTS.filter(
    ({ id, provider }) => !provider && !exchanges.some(({ operation }) => operation === id),
  );
  // They need an unreadable stream: test/faults covers them.
  expect(silent.map(({ id }) => id)).toEqual(['retryStoppedStreams', 'skipStoppedStream']);
});

/** Returns the names and kinds of all members as text, without their values. */
const shapeOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (Array.isArray(member)) return member.slice(0, 1);
    if (typeof member !== 'object') return typeof member;
    return member && Object.fromEntries(Object.entries(member).sort(([a], [b]) => a.localeCompare(b)));
  });

/** Returns the members of each example, so that an outdated example is noticed. */
const namesIn = (examples: object): object =>
  Object.fromEntries(
    Object.entries(examples).map(([id, { request = {}, answer = {} }]) => [
      id,
      [Object.keys(request).sort(), Object.keys(answer).sort()],
    ]),
  );

it('suffices for a generated client, which opens, appends, compacts and reads', async () => {
  const program = await readFile(new URL('./support/session.ts.txt', import.meta.url), 'utf8');
  await compileClient(folder, served, program);
  const env = { URL_OF_API: api.url, KEY_OF_API: KEY };
  expect(await runCompiled(folder, env)).toEqual({
    tenant: 'generated',
    composed: 6,
    outcome: 'completed',
    compactions: 1,
    status: 'open',
    refused: 'session-not-found',
    fault: 'messages',
  });
});
