import {
  events,
  hangUp,
  json,
  problem,
  type Reaction,
} from '../../../libs/client/src/spec/scripted-server.js';

/** A call in the words that both drivers know, with its arguments. */
type Call = {
  readonly call: 'get' | 'append' | 'list' | 'export' | 'stream' | 'import';
  readonly session?: string;
  readonly idempotencyKey?: string;
  readonly ifMatch?: number;
  readonly reason?: string;
  readonly retries?: number;
  /** Number of events to read from a stream. */
  readonly count?: number;
  /** Text of the message or transcript. */
  readonly text?: string;
};
export type ClientCase = Call & {
  readonly title: string;
  readonly script: readonly Reaction[];
  readonly expected: object;
  /** Requests that the service receives. */
  readonly requests: number;
};

const page = (ids: readonly string[], next: string | null) =>
  json(200, { items: ids.map((session) => ({ session })), next });
const lines =
  (text: string, end: 'end' | 'break'): Reaction =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(text, () => (end === 'end' ? response.end() : response.destroy()));
  };
const event = (id: number): string => `id: ${id}\nevent: Happened\ndata: {"n":${id}}\n\n`;
const message = (id: string): string => `{"id":"${id}"}\n`;
const html: Reaction = (response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
const cut: Reaction = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50 });
  response.write('{"app', () => response.destroy());
};
const faults = [{ at: 'window', problem: 'no number' }];

/** Behaviour of every client of the API, in any language. */
export const CLIENT_CASES: readonly ClientCase[] = [
  {
    title: 'encodes names in the path',
    ...{ call: 'get', session: 'a/b ü', script: [json(200, { session: 'a' })], requests: 1 },
    expected: { result: { session: 'a' } },
  },
  ...['.', '..'].map((session) => ({
    title: `refuses the ID "${session}", which a URL resolves as a relative path`,
    ...{ call: 'get' as const, session, script: [], requests: 0 },
    expected: {
      error: {
        ...{ code: 'invalid-id', attempts: 1 },
        detail: 'use another ID: URLs resolve "." and ".."',
      },
    },
  })),
  {
    title: 'sends revision, idempotency key and reason',
    ...{ call: 'append', idempotencyKey: 'mine', ifMatch: 7, reason: 'Größe 1', requests: 1 },
    script: [json(200, { appended: 1 })],
    expected: { result: { appended: 1 } },
  },
  {
    title: 'reports code, status, detail and faults of a refusal',
    ...{
      call: 'append',
      script: [json(400, { code: 'invalid-request', detail: 'wrong', faults })],
      requests: 1,
    },
    expected: { error: { code: 'invalid-request', status: 400, detail: 'wrong', faults, attempts: 1 } },
  },
  {
    title: 'repeats a write with the same key after a refusal for the time being',
    ...{
      call: 'append',
      script: [problem(503, 'postgres-unavailable'), json(200, { appended: 1 })],
      requests: 2,
    },
    expected: { result: { appended: 1 } },
  },
  {
    title: 'repeats a write with the same key after a broken connection',
    ...{ call: 'append', script: [hangUp, json(200, { appended: 1 })], requests: 2 },
    expected: { result: { appended: 1 } },
  },
  {
    title: 'repeats a write with the same key after an answer that breaks off',
    ...{ call: 'append', script: [cut, json(200, { appended: 1 })], requests: 2 },
    expected: { result: { appended: 1 } },
  },
  {
    title: 'sends half of a surrogate pair as it is',
    ...{ call: 'append', text: 'half \ud83d of it', script: [json(200, { appended: 1 })], requests: 1 },
    expected: { result: { appended: 1 } },
  },
  {
    title: 'ignores a pause that is no number',
    ...{ call: 'get', requests: 2 },
    script: [problem(503, 'disk-full', { 'retry-after': '\u00b2' }), json(200, { session: 'a' })],
    expected: { result: { session: 'a' } },
  },
  {
    title: 'tells an answer that is nested without end',
    ...{ call: 'get', script: [(response) => void response.end('['.repeat(200_000))], requests: 1 },
    expected: { error: { code: 'unexpected-answer', status: 200 } },
  },
  {
    title: 'tells a stream of another server',
    ...{ call: 'stream', count: 2, requests: 1 },
    script: [events(`${event(1)}id: 2\ndata: hello\n\n`, 'stay')],
    expected: { error: { code: 'unexpected-answer' } },
  },
  {
    title: 'repeats a call that a proxy answered',
    ...{ call: 'get', script: [html, json(200, { session: 'a' })], requests: 2 },
    expected: { result: { session: 'a' } },
  },
  {
    title: 'gives up after the allowed retries',
    ...{ call: 'get', retries: 1, script: [problem(429, 'rate-limited')], requests: 2 },
    expected: { error: { code: 'rate-limited', status: 429, attempts: 2 } },
  },
  {
    title: 'leaves a long pause to the caller',
    ...{ call: 'get', script: [problem(429, 'rate-limited', { 'retry-after': '61' })], requests: 1 },
    expected: { error: { code: 'rate-limited', retryAfterSeconds: 61, attempts: 1 } },
  },
  {
    title: 'does not repeat a refusal',
    ...{ call: 'append', script: [problem(409, 'session-closed')], requests: 1 },
    expected: { error: { code: 'session-closed', status: 409, attempts: 1 } },
  },
  {
    title: 'does not follow a redirect with the key',
    ...{ call: 'get', requests: 1 },
    script: [(response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    expected: { error: { code: 'unexpected-answer', status: 302 } },
  },
  {
    title: 'tells the answer of another server',
    ...{ call: 'get', script: [(response) => void response.end('hello')], requests: 1 },
    expected: { error: { code: 'unexpected-answer', status: 200 } },
  },
  {
    title: 'reads all pages of a list',
    ...{ call: 'list', script: [page(['a', 'b'], 'next/1'), page(['c'], null)], requests: 2 },
    expected: { result: ['a', 'b', 'c'] },
  },
  {
    title: 'reads lines to their end',
    ...{ call: 'export', script: [lines(message('m1') + message('ü').trimEnd(), 'end')], requests: 1 },
    expected: { result: ['m1', 'ü'] },
  },
  {
    title: 'never takes a cut export for a shorter one',
    ...{ call: 'export', script: [lines(`${message('m1')}{"id`, 'break')], requests: 1 },
    expected: { error: { code: 'service-unreachable' } },
  },
  {
    title: 'never takes an export that is cut between lines for a shorter one',
    ...{ call: 'export', script: [lines(message('m1'), 'break')], requests: 1 },
    expected: { error: { code: 'service-unreachable' } },
  },
  {
    title: 'resumes a broken stream after the last event',
    ...{ call: 'stream', count: 3, requests: 2 },
    script: [events(`${event(1)}:heartbeat\n\n${event(2)}`, 'break'), events(event(3), 'stay')],
    expected: { result: [1, 2, 3] },
  },
  {
    title: 'stops a stream before an event that the service cannot read',
    ...{ call: 'stream', count: 2, requests: 1 },
    script: [events(`${event(1)}id: 2\nevent: event-unreadable\ndata: {"session":"s"}\n\n`, 'stay')],
    expected: { error: { code: 'corrupt-event' } },
  },
  {
    title: 'sends a transcript as bytes, again after a failure',
    ...{ call: 'import', text: '{"a":"ü"}\n', requests: 2 },
    script: [problem(503, 'event-store-unavailable'), json(200, { sessions: [] })],
    expected: { result: { sessions: [] } },
  },
];
