import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '@app/kernel';
import { formatAddCheckpoint, formatCheckpoint, leafHash, signerKey, signText } from '@app/tlog';
import type { Examples } from '../../../apps/api/src/openapi/endpoints.js';
import { type Answer, KEY } from '../../api/support/api-server.js';

type Given = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Exchange = {
  readonly operation: string;
  readonly given: Given;
  readonly answer: Answer;
};
/** A log of another installation, which the service witnesses. */
export const WITNESSED_LOG = signerKey('example.com/log', 'ed25519', new Uint8Array(32).fill(3));

const submission = (): string => {
  const text = formatCheckpoint({ origin: WITNESSED_LOG.name, size: 1, root: leafHash(new Uint8Array()) });
  return formatAddCheckpoint({
    ...{ oldSize: 0, proof: [] },
    note: { text, signatures: [signText(text, WITNESSED_LOG)] },
  });
};

/** Calls an operation by its ID. */
export type Calls = (operation: string, given?: Given) => Promise<Answer>;

const member = ({ body }: Answer, ...names: readonly (string | number)[]): string =>
  String(names.reduce<unknown>((found, name) => Object(found)[name], body));

const MESSAGES: Json = [
  { id: 'm1', role: 'user', content: 'Review src/app.ts for mistakes.' },
  { id: 'm2', role: 'assistant', content: 'The function `total` adds the tax twice, in lines 14 and 19.' },
  { id: 'm3', role: 'user', content: 'Fix it, and add a test.' },
  { id: 'm4', role: 'assistant', content: 'Line 19 is removed, and test/app.spec.ts covers the sum.' },
];

/** Calls every operation with a JSON answer, except for the gateway's and those about damaged streams. */
export const playScenario = async (call: Calls): Promise<void> => {
  await playService(call);
  await playSession(call);
  await playCompactions(call);
  await playErasures(call);
  await playTenant(call);
  await playWebhooks(call);
  await playAudit(call);
};

const playService = async (call: Calls): Promise<void> => {
  for (const operation of ['getLiveness', 'getReadiness', 'getHealth', 'getMetrics', 'listErrors'])
    await call(operation);
  await call('getError', { path: { code: 'session-not-found' } });
  await call('getAsyncApi');
  await call('getCaller');
  await call('signIn', { body: { key: KEY } });
  await call('getSignIn');
  await call('signOut');
  await call('listProfiles');
  await call('getProfile', { path: { profile: 'core' } });
  await call('listModels');
  await call('getModel', { path: { model: 'claude-opus-4-6' } });
  const own = { path: { model: 'our-model' } };
  await call('describeModel', {
    ...own,
    body: { window: 128_000, evidence: { source: 'our own', asOf: '2026-01-01', confidence: 'high' } },
  });
  await call('forgetModel', own);
};

const path = { session: 'review-7' };
const playSession = async (call: Calls): Promise<void> => {
  const body = {
    ...{ session: 'review-7', model: 'claude-opus-4-6', window: 200_000, system: 'Be brief.' },
    ...{ title: 'Review of the parser', agent: 'codex', project: 'parser', labels: { team: 'core' } },
  };
  await call('openSession', { body });
  await call('appendMessages', {
    path,
    body: { messages: MESSAGES, usage: { inputTokens: 240, outputTokens: 60 }, stopReason: 'end_turn' },
  });
  const requestId = member(
    await call('composeRequest', { path, body: { format: 'anthropic' } }),
    'requestId',
  );
  await call('appendAndCompose', {
    path,
    body: { messages: [{ role: 'user', content: 'Does the parser accept comments?' }] },
  });
  await call('reportSessionUsage', {
    path,
    body: { usage: { inputTokens: 250, outputTokens: 10, requestId } },
  });
  await call('reportEdits', {
    path,
    body: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 900 }],
  });
  await call('completeTurn', { path, body: { stopReason: 'end_turn' } });
  await call('pinContent', {
    path: { ...path, pin: 'p1' },
    body: { kind: 'constraint', text: 'Node 20 only.' },
  });
  await call('getSession', { path });
  await call('unpinContent', { path: { ...path, pin: 'p1' } });
  await call('changeSettings', { path, body: { window: 100_000, labels: { team: null, stage: 'review' } } });
  await call('deferCompactions', { path, body: { until: 'released', reason: 'A release is under way.' } });
  await call('releaseCompactions', { path, body: { reason: 'The release is done.' } });
  const hold = { path: { ...path, matter: 'case-2026-17' }, body: { reason: 'Litigation is expected.' } };
  await call('placeLegalHold', hold);
  await call('listSessionHolds', { path });
  await call('listHeldSessions', { query: 'matter=case-2026-17' });
  await call('releaseLegalHold', { ...hold, body: { reason: 'The parties have settled.' } });
  await call('setRetention', { path, body: { mode: 'governance', until: '2033-12-31T00:00:00Z' } });
  await call('getRetention', { path });
  await call('removeRetention', { path, body: { reason: 'The contract has ended.' } });
  await call('reportOverflow', { path, body: { message: 'Rate limit reached.', status: 429 } });
  await call('listSessions', { query: 'agent=codex&sort=-occupancy' });
  await call('getContext', { path, query: 'asOf=3' });
  await call('diffContexts', { path, query: 'a=2&b=4' });
  await call('getMessage', { path: { ...path, message: 'm1' } });
  await call('searchMessages', { path, query: 'text=mistakes' });
  await call('callMcp', {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'search',
    },
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        name: 'search',
        arguments: { session: path.session, text: 'mistakes' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  });
  await call('traceMessage', { path: { ...path, message: 'm1' } });
  await call('recallHistory', { path, body: { messages: 2 } });
  await call('exportSession', { path });
  await call('listSessionEvents', { path });
  await call('exportProof', { path });
  await call('exportSessionPage', { path });
  await call('getLogCheckpoint');
  await call('listLogWitnesses');
  await call('getWitnessKeys');
  await call('addCheckpoint', { body: submission() });
  await call('getWitnessedCheckpoint', {
    path: { origin: createHash('sha256').update(WITNESSED_LOG.name).digest('hex') },
  });
  await call('getLogTile', { path: { tile: '0/000.p/1' } });
  await call('getOccupancy', { path, query: 'bins=2' });
  await call('getRetentionMap', { path });
  await call('listMessages', { path, query: 'limit=2' });
  await call('streamEvents', { query: 'follow=false&from=start' });
};

/** Long enough for a compaction to have something to summarize. */
const LONG: Json = Array.from({ length: 12 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Step ${at}: ${'src/app.ts is read again. '.repeat(100)}`,
}));

const playCompactions = async (call: Calls): Promise<void> => {
  await call('appendMessages', { path, body: { messages: LONG } });
  await call('planCompaction', { path, body: {} });
  await call('compareProfiles', { path, body: { profiles: ['core'] } });
  const requested = await call('requestCompaction', { path, body: { instructions: 'Keep the file names.' } });
  const at = { path: { ...path, compaction: member(requested, 'compactionId') } };
  await call('awaitOutcome', { ...at, query: 'timeoutSeconds=60' });
  await call('explainCompaction', at);
  await call('cancelCompaction', { ...at, body: { reason: 'No longer needed.' } });
  await call('listCompactions', { path });
  await call('searchCompactions');
  await call('revertCompaction', { path, body: { reason: 'The summary lacks a name.' } });
  await call('forkSession', { path, body: { as: 'review-7-again' } });
  await call('resetSession', { path, body: { confirm: true, reason: 'A new task.' } });
  await call('closeSession', { path, body: { reason: 'The work is done.' } });
  await call('importTranscript', { query: 'name=notes.jsonl' });
};

/** Erases a subject without content, so that no content of the other examples is erased. */
const playErasures = async (call: Calls): Promise<void> => {
  await call('requestErasure', { body: { subject: 'customer-42', reason: 'Case 1881' } });
  await call('changeErasurePolicy', { body: { people: 2 } });
  const waiting = await call('requestErasure', { body: { subject: 'customer-43', reason: 'Case 1882' } });
  const named = { path: { erasure: member(waiting, 'erasure') } };
  await call('showErasure', named);
  await call('withdrawErasure', { ...named, body: { reason: 'The request was withdrawn' } });
  const second = await call('requestErasure', { body: { subject: 'customer-44', reason: 'Case 1883' } });
  const issued = await call('createKey', { body: { role: 'privacy', label: 'Data protection' } });
  await call('approveErasure', {
    path: { erasure: member(second, 'erasure') },
    headers: { authorization: `Bearer ${member(issued, 'key')}` },
  });
  await call('changeErasurePolicy', { body: { people: 1 } });
  await call('listErasures');
  await call('rotateLogKey');
  await call('verifyLive', { body: {} });
};

const playTenant = async (call: Calls): Promise<void> => {
  await call('registerTenant', { body: { tenant: 'acme', name: 'Acme' } });
  await call('listTenants');
  await call('getTenant', { path: { tenant: 'default' } });
  const issued = await call('createKey', { body: { role: 'agent', label: 'CI' } });
  const rotated = await call('rotateKey', {
    path: { key: member(issued, 'keyId') },
    body: { overlapSeconds: 3_600 },
  });
  await call('revokeKey', { path: { key: member(rotated, 'keyId') } });
  await call('listKeys');
  await call('getLimits');
  await call('changeLimits', { body: { requestsPerSecond: 500 } });
  const kept = { default: { mode: 'compliance', days: 2_555 }, profiles: {} };
  await call('setRetentionDefaults', { body: kept });
  await call('getRetentionDefaults');
  await call('setRetentionDefaults', { body: { default: null, profiles: {} } });
  await call('putSecret', { path: { name: 'anthropic' }, body: { value: 'sk-example' } });
  await call('listSecrets');
  const prompt = { path: { prompt: 'ours' } };
  await call('listPrompts');
  await call('registerPrompt', { ...prompt, body: { texts: { system: 'You summarize engineering work.' } } });
  await call('getOwnPrompt', prompt);
  await call('listOwnPrompts');
  const summarizers = {
    ours: [{ provider: 'anthropic', model: 'claude-haiku-4-5', secret: 'anthropic', prompt: 'ours' }],
  };
  await call('replaceSummarizers', { body: { default: null, summarizers } });
  await call('getSummarizers');
  await call('replaceSummarizers', { body: { default: null, summarizers: {} } });
  await call('removeSecret', { path: { name: 'anthropic' } });
};

/** An address that refuses connections, and its replacement in examples. */
const CLOSED = 'http://127.0.0.1:9/';
const SHOWN = 'https://hooks.example.com/';

const playWebhooks = async (call: Calls): Promise<void> => {
  const body = { url: `${CLOSED}palimpsest`, types: ['SessionOpened'] };
  const registered = await call('registerWebhook', { body });
  const at = { path: { webhook: member(registered, 'webhookId') } };
  await call('getWebhook', at);
  await call('changeWebhook', { ...at, body: { label: 'Chat' } });
  await call('rotateWebhookSecret', { ...at, body: { overlapSeconds: 60 } });
  await call('testWebhook', { ...at, body: {} });
  await call('listWebhooks');
  await call('openSession', { body: { session: 'review-8', window: 200_000 } });
  let listed = await call('listDeliveries', at);
  while (member(listed, 'items', 'length') === '0') {
    await pause(20);
    listed = await call('listDeliveries', at);
  }
  const delivery = { path: { ...at.path, delivery: member(listed, 'items', 0, 'delivery') } };
  await call('skipDelivery', { ...delivery, body: { reason: 'The receiver is gone.' } });
  await call('replayDelivery', { ...delivery, body: {} });
  await call('removeWebhook', at);
};

const playAudit = async (call: Calls): Promise<void> => {
  await call('searchAudit', { query: 'limit=2' });
  await call('countAuditRows', { query: 'by=type' });
  await call('exportAudit');
  await call('listAuditReads');
  await call('reportUsage', { query: 'by=model' });
  await call('listProjections');
  await call('listStoppedStreams');
};

/** A key or signing secret, which secret scanners would report. */
const SECRET = /^(pal_|whsec_).{20,}$/;
/** Maximum number of items of a list, and of characters of a text, in an example. */
const ITEMS_MAX = 2;
const TEXT_MAX = 300;

const shortened = (value: Json): Json => {
  if (typeof value === 'string' && value.length > TEXT_MAX) return `${value.slice(0, TEXT_MAX)}…`;
  if (typeof value === 'string') return value.replace(CLOSED, SHOWN).replace(SECRET, '$1…');
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((one: Json) => shortened(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one ?? null)]));
};

/** Returns the first exchange of each operation, shortened. The description of all events has a separate document. */
export const examplesOf = (exchanges: readonly Exchange[]): Examples => {
  const found: Record<string, JsonObject> = {};
  for (const { operation, given, answer } of exchanges) {
    if (found[operation] || operation === 'getAsyncApi') continue;
    const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '');
    found[operation] = {
      ...(given.body !== undefined && { request: shortened(given.body) }),
      ...(isJson && { answer: shortened(JSON.parse(JSON.stringify(answer.body))) }),
    };
  }
  return found;
};
