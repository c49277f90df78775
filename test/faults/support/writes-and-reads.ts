export type Call = readonly [method: string, path: string, body?: unknown];
type Answers = readonly Readonly<Record<string, unknown>>[];

/** Writes of one resource, and reads that its writer makes directly afterwards. */
export type WritesAndReads = {
  readonly resource: string;
  /** In order; a function receives the answers of the writes so far. */
  readonly writes: readonly (Call | ((answers: Answers) => Call))[];
  /** A read, and a text that its answer contains, or with `not` lacks. `$0.member` is a member of the answer of a write. */
  readonly reads: readonly (readonly [path: string, has: string, not?: 'not'])[];
};

const said = (text: string) => ({ messages: [{ id: 'm1', role: 'user', content: text }] });
const opened = (session: string): Call => ['POST', '/v1/sessions', { session, window: 4_000 }];
const long = {
  messages: Array.from({ length: 8 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at} ${'quite a few words '.repeat(100)}`,
  })),
  stopReason: 'end_turn',
};
const billed = {
  messages: [
    { role: 'user', content: 'Forget it.' },
    { role: 'assistant', content: 'It is forgotten.' },
  ],
  usage: { inputTokens: 4_711, outputTokens: 10 },
  stopReason: 'end_turn',
};
const evidence = { source: 'our own', asOf: '2026-01-01', confidence: 'high' };
const RECEIVER = 'http://127.0.0.1:9/hook';

/** Every resource of the API that can be written and read, with all of its reads. */
export const WRITES_AND_READS: readonly WritesAndReads[] = [
  {
    resource: 'a session',
    writes: [
      [
        'POST',
        '/v1/sessions',
        { session: 'own', window: 4_000, title: 'Mine', labels: { team: 'a' }, agent: 'pi' },
      ],
      ['POST', '/v1/sessions/own/messages', said('A needle.')],
    ],
    reads: [
      ['/v1/sessions/own', '"title":"Mine"'],
      ['/v1/sessions/own/context', 'A needle.'],
      ['/v1/sessions/own/messages', 'A needle.'],
      ['/v1/sessions/own/messages/m1', 'A needle.'],
      ['/v1/sessions/own/messages/m1/provenance', '"m1"'],
      ['/v1/sessions/own/search?text=needle', '"m1"'],
      ['/v1/sessions/own/events', 'MessageAppended'],
      ['/v1/sessions/own/export', 'A needle.'],
      ['/v1/sessions/own/occupancy?bins=5', '"revision"'],
      ['/v1/sessions/own/retention-map', '{'],
      ['/v1/sessions', '"session":"own"'],
      ['/v1/sessions?label=team%3Da&agent=pi', '"session":"own"'],
      ['/v1/audit?session=own', 'MessageAppended'],
      ['/v1/audit/totals?by=type', 'MessageAppended'],
      ['/v1/audit/export?session=own', 'MessageAppended'],
    ],
  },
  {
    resource: 'changed settings',
    writes: [
      opened('changed'),
      ['PATCH', '/v1/sessions/changed/settings', { title: 'Later', labels: { stage: 'b' } }],
    ],
    reads: [
      ['/v1/sessions/changed', '"title":"Later"'],
      ['/v1/sessions?label=stage%3Db', '"session":"changed"'],
    ],
  },
  {
    resource: 'a closed session',
    writes: [opened('closed'), ['POST', '/v1/sessions/closed/close', { reason: 'done' }]],
    reads: [
      ['/v1/sessions/closed', '"status":"closed"'],
      ['/v1/audit?session=closed', 'SessionClosed'],
    ],
  },
  {
    resource: 'a fork',
    writes: [
      opened('trunk'),
      ['POST', '/v1/sessions/trunk/messages', said('A root.')],
      ['POST', '/v1/sessions/trunk/fork', { as: 'branch' }],
    ],
    reads: [
      ['/v1/sessions/branch/messages/m1', 'A root.'],
      ['/v1/sessions', '"session":"branch"'],
    ],
  },
  {
    resource: 'a reset',
    writes: [
      opened('blank'),
      ['POST', '/v1/sessions/blank/messages', billed],
      ['POST', '/v1/sessions/blank/reset', { confirm: true, reason: 'anew' }],
    ],
    reads: [
      ['/v1/sessions/blank/context', 'It is forgotten.', 'not'],
      ['/v1/audit?session=blank', 'SessionReset'],
    ],
  },
  {
    resource: 'reported usage',
    writes: [opened('billed'), ['POST', '/v1/sessions/billed/messages', billed]],
    reads: [['/v1/usage?by=session', '4711']],
  },
  {
    resource: 'a pin',
    writes: [
      opened('pinned'),
      ['PUT', '/v1/sessions/pinned/pins/p1', { kind: 'constraint', text: 'Node 20 only.' }],
      ['PUT', '/v1/sessions/pinned/pins/p2', { kind: 'constraint', text: 'No Java.' }],
      ['DELETE', '/v1/sessions/pinned/pins/p2'],
    ],
    reads: [
      ['/v1/sessions/pinned', 'Node 20 only.'],
      ['/v1/sessions/pinned', 'No Java.', 'not'],
    ],
  },
  {
    resource: 'a deferral',
    writes: [
      opened('deferred'),
      ['POST', '/v1/sessions/deferred/defer', { until: 'released', reason: 'a release' }],
    ],
    reads: [
      ['/v1/sessions/deferred', 'a release'],
      ['/v1/audit?session=deferred', 'CompactionsHeld'],
    ],
  },
  {
    resource: 'a compaction',
    writes: [
      opened('compacting'),
      ['POST', '/v1/sessions/compacting/messages', long],
      ['POST', '/v1/sessions/compacting/compactions', {}],
    ],
    reads: [
      ['/v1/sessions/compacting', '"status":"requested"'],
      ['/v1/sessions/compacting/compactions/$2.compactionId', '$2.compactionId'],
      ['/v1/sessions/compacting/compactions', '$2.compactionId'],
      ['/v1/compactions?session=compacting', '$2.compactionId'],
    ],
  },
  {
    resource: 'a cancelled compaction',
    writes: [
      opened('cancelled'),
      ['POST', '/v1/sessions/cancelled/messages', long],
      ['POST', '/v1/sessions/cancelled/compactions', {}],
      ([, , { compactionId } = {}]) => [
        'POST',
        `/v1/sessions/cancelled/compactions/${compactionId}/cancel`,
        { reason: 'no longer' },
      ],
    ],
    reads: [
      ['/v1/sessions/cancelled/compactions/$2.compactionId/outcome?timeoutSeconds=1', 'cancelled'],
      ['/v1/sessions/cancelled/compactions', '"outcome":"cancelled"'],
      ['/v1/compactions?session=cancelled', '"outcome":"cancelled"'],
    ],
  },
  {
    resource: 'a legal hold',
    writes: [
      opened('held'),
      ['PUT', '/v1/sessions/held/holds/case-1', { reason: 'litigation' }],
      ['PUT', '/v1/sessions/held/holds/case-2', { reason: 'litigation' }],
      ['POST', '/v1/sessions/held/holds/case-2/release', { reason: 'settled' }],
    ],
    reads: [
      ['/v1/sessions/held/holds', 'case-1'],
      ['/v1/holds?matter=case-1', '"session":"held"'],
      ['/v1/holds?matter=case-2', '"session":"held"', 'not'],
    ],
  },
  {
    resource: 'a retention period',
    writes: [
      opened('kept'),
      ['PUT', '/v1/sessions/kept/retention', { mode: 'governance', until: '2093-12-31T00:00:00Z' }],
    ],
    reads: [['/v1/sessions/kept/retention', '2093-12-31']],
  },
  {
    resource: 'defaults of retention',
    writes: [['PUT', '/v1/retention', { default: { mode: 'governance', days: 2_555 }, profiles: {} }]],
    reads: [
      ['/v1/retention', '2555'],
      ['/v1/audit', 'RetentionDefaultsSet'],
    ],
  },
  {
    resource: 'no defaults of retention',
    writes: [['PUT', '/v1/retention', { default: null, profiles: {} }]],
    reads: [['/v1/retention', '"default":null']],
  },
  {
    resource: 'an erasure',
    writes: [
      // Without an approval nothing is erased, which the worker would have to confirm.
      ['PUT', '/v1/erasure-policy', { people: 2 }],
      ['POST', '/v1/erasures', { subject: 'customer-42', reason: 'case 1881' }],
      ['POST', '/v1/erasures', { subject: 'customer-43', reason: 'case 1882' }],
      ([, , { erasure } = {}]) => ['POST', `/v1/erasures/${erasure}/withdrawal`, { reason: 'settled' }],
    ],
    reads: [
      ['/v1/erasures', '$1.erasure'],
      ['/v1/erasures/$1.erasure', 'case 1881'],
      ['/v1/erasures/$2.erasure', 'withdrawn'],
    ],
  },
  {
    resource: 'a tenant',
    writes: [['POST', '/v1/tenants', { tenant: 'acme', name: 'Acme Inc.' }]],
    reads: [
      ['/v1/tenants/acme', 'Acme Inc.'],
      ['/v1/tenants', 'Acme Inc.'],
    ],
  },
  {
    resource: 'limits',
    writes: [['PUT', '/v1/limits', { requestsPerMinute: 190_817 }]],
    reads: [
      ['/v1/limits', '190817'],
      ['/v1/tenants/default', '190817'],
      ['/v1/tenants', '190817'],
    ],
  },
  {
    resource: 'a key',
    writes: [
      ['POST', '/v1/keys', { role: 'agent', label: 'first' }],
      ([{ keyId } = {}]) => ['POST', `/v1/keys/${keyId}/rotate`, {}],
      ([, { keyId } = {}]) => ['DELETE', `/v1/keys/${keyId}?reason=lost`],
    ],
    reads: [
      ['/v1/keys', '"replacedBy":"$1.keyId"'],
      ['/v1/keys', '"reason":"lost"'],
      ['/v1/audit', 'ApiKeyRevoked'],
    ],
  },
  {
    resource: 'a webhook',
    writes: [
      ['POST', '/v1/webhooks', { url: RECEIVER, label: 'one' }],
      ['POST', '/v1/webhooks', { url: RECEIVER, label: 'two' }],
      ([{ webhookId } = {}]) => ['PATCH', `/v1/webhooks/${webhookId}`, { label: 'changed' }],
      ([, { webhookId } = {}]) => ['DELETE', `/v1/webhooks/${webhookId}`],
    ],
    reads: [
      ['/v1/webhooks/$0.webhookId', 'changed'],
      ['/v1/webhooks', 'changed'],
      ['/v1/webhooks', '$1.webhookId', 'not'],
      ['/v1/webhooks/$0.webhookId/deliveries', '"items":[]'],
    ],
  },
  {
    resource: 'a secret',
    writes: [
      ['PUT', '/v1/secrets/one', { value: 'shh' }],
      ['PUT', '/v1/secrets/two', { value: 'shh' }],
      ['DELETE', '/v1/secrets/two'],
    ],
    reads: [
      ['/v1/secrets', '"one"'],
      ['/v1/secrets', '"two"', 'not'],
    ],
  },
  {
    resource: 'a prompt',
    writes: [['POST', '/v1/prompts/own/mine', { texts: { system: 'Summarize for a colleague.' } }]],
    reads: [
      ['/v1/prompts/own', '"mine"'],
      ['/v1/prompts/own/mine', 'for a colleague'],
    ],
  },
  {
    resource: 'summarizers',
    writes: [
      ['PUT', '/v1/summarizers', { default: 'mine', summarizers: { mine: [{ provider: 'extractive' }] } }],
    ],
    reads: [['/v1/summarizers', '"mine"']],
  },
  {
    resource: 'a model',
    writes: [
      ['PUT', '/v1/models/ours', { window: 128_000, evidence }],
      ['PUT', '/v1/models/gone', { window: 128_000, evidence }],
      ['DELETE', '/v1/models/gone'],
    ],
    reads: [
      ['/v1/models/ours', '128000'],
      ['/v1/models', '"ours"'],
      ['/v1/models', '"gone"', 'not'],
    ],
  },
];
