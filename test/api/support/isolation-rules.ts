/** The ids in a request, of another tenant or unknown ones. */
export type Named = {
  readonly session: string;
  /** An unused id, for routes that create a resource. */
  readonly fresh: string;
  readonly compaction: string;
  readonly message: string;
  readonly pin: string;
  readonly key: string;
  readonly webhook: string;
  /** The name of a secret. */
  readonly secret: string;
  /** The name of a registered prompt. */
  readonly prompt: string;
};
type Request = {
  readonly query?: string;
  readonly body?: unknown;
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};
type Rule = (named: Named) => Request;

const inPath: Rule = () => ({});
const withBody =
  (body: unknown): Rule =>
  () => ({ body });
const bySession: Rule = ({ session }) => ({ query: `?session=${session}` });

const WHY = { reason: 'to see whether I may' };
const ASKED = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello.' }] };

/** Takes no id, and its answer grows during the test: only status and words are checked. */
export const GROWING: ReadonlySet<string> = new Set([
  'GET v1/audit/reads',
  'GET v1/log/checkpoint',
  'GET v1/log/witnesses',
  'POST v1/log/rotate-key',
]);

/** The places of ids in a request, other than its path, by route. */
export const RULES: Readonly<Record<string, Rule>> = {
  'POST mcp': ({ session, message }) => ({
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'recall' },
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        name: 'recall',
        arguments: { session, message },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  }),
  'GET v1/whoami': inPath,
  'GET v1/limits': inPath,
  'PUT v1/limits': withBody({}),
  'GET v1/keys': inPath,
  'POST v1/keys': withBody({ role: 'agent' }),
  'POST v1/keys/:key/rotate': withBody({}),
  'DELETE v1/keys/:key': inPath,
  'GET v1/erasures': inPath,
  'POST v1/erasures': ({ session }) => ({ body: { session, reason: 'to see whether I may' } }),
  'PUT v1/erasure-policy': withBody({ people: 1 }),
  'GET v1/erasures/:erasure': () => ({ path: { erasure: 'era_AAAAAAAAAAAAAAAA' } }),
  'POST v1/erasures/:erasure/approval': () => ({ path: { erasure: 'era_AAAAAAAAAAAAAAAA' } }),
  'POST v1/erasures/:erasure/withdrawal': () => ({
    path: { erasure: 'era_AAAAAAAAAAAAAAAA' },
    body: { reason: 'to see whether I may' },
  }),
  'GET v1/secrets': inPath,
  'PUT v1/secrets/:name': () => ({ path: { name: 'mine' }, body: { value: 'to see whether I may' } }),
  'DELETE v1/secrets/:name': ({ secret }) => ({ path: { name: secret } }),
  'GET v1/webhooks': inPath,
  'POST v1/webhooks': withBody({ url: 'https://192.0.2.1/hook', sessions: ['none'] }),
  'GET v1/webhooks/:webhook': inPath,
  'PATCH v1/webhooks/:webhook': withBody({ label: 'mine' }),
  'DELETE v1/webhooks/:webhook': inPath,
  'POST v1/webhooks/:webhook/rotate-secret': withBody({}),
  'POST v1/webhooks/:webhook/test': withBody({}),
  'GET v1/webhooks/:webhook/deliveries': inPath,
  'POST v1/webhooks/:webhook/deliveries/:delivery/replay': () => ({ path: { delivery: '1' }, body: {} }),
  'POST v1/webhooks/:webhook/deliveries/:delivery/skip': () => ({
    path: { delivery: '1' },
    body: { reason: 'to see whether I may' },
  }),
  'GET v1/tenants': inPath,
  'GET v1/tenants/:tenant': () => ({ path: { tenant: 'rival' } }),
  'POST v1/tenants': withBody({ tenant: 'rival', name: 'A second' }),
  'GET v1/audit': bySession,
  'GET v1/audit/export': bySession,
  'GET v1/audit/reads': inPath,
  'GET v1/audit/totals': ({ session }) => ({ query: `?by=type&session=${session}` }),
  'GET v1/compactions': bySession,
  'GET v1/stream': ({ session }) => ({ query: `?from=start&session=${session}` }),
  'GET v1/usage': () => ({ query: '?from=2026-01-01&to=2026-12-31' }),
  'GET v1/projections': inPath,
  'GET v1/projections/stopped': inPath,
  'POST v1/projections/:name/retry': () => ({ path: { name: 'sessions' }, body: {} }),
  'POST v1/projections/:name/skip': () => ({
    path: { name: 'sessions' },
    body: { position: '1', reason: 'to see whether I may' },
  }),
  'GET v1/prompts': inPath,
  'GET v1/prompts/own': inPath,
  'GET v1/prompts/own/:prompt': inPath,
  'POST v1/prompts/own/:prompt': () => ({ path: { prompt: 'mine' }, body: { texts: { system: 'Mine.' } } }),
  'GET v1/summarizers': inPath,
  'PUT v1/summarizers': withBody({ default: null, summarizers: {} }),
  'GET v1/models': inPath,
  'GET v1/models/:model': () => ({ path: { model: 'claude-opus-5' } }),
  'PUT v1/models/:model': () => ({ path: { model: 'mine' }, body: { window: 1_000 } }),
  'DELETE v1/models/:model': () => ({ path: { model: 'undescribed' } }),
  'GET v1/profiles': inPath,
  'GET v1/profiles/:profile': () => ({ path: { profile: 'core' } }),
  'GET v1/retention': inPath,
  'PUT v1/retention': withBody({ default: null, profiles: {} }),
  'GET v1/holds': inPath,
  'GET v1/sessions/:session/retention': inPath,
  'PUT v1/sessions/:session/retention': withBody({ mode: 'governance', until: '2099-01-01T00:00:00Z' }),
  'POST v1/sessions/:session/retention/remove': withBody(WHY),
  'GET v1/sessions/:session/holds': inPath,
  'PUT v1/sessions/:session/holds/:matter': withBody(WHY),
  'POST v1/sessions/:session/holds/:matter/release': withBody(WHY),
  'GET v1/sessions': ({ session }) => ({ query: `?parent=${session}` }),
  'POST v1/sessions': ({ fresh, session }) => ({ body: { session: fresh, parent: session } }),
  'POST v1/imports': ({ session }) => ({ query: `?name=${session}`, body: '{}' }),
  'GET v1/sessions/:session': inPath,
  'GET v1/sessions/:session/context': inPath,
  'GET v1/sessions/:session/diff': () => ({ query: '?a=0&b=1&content=true' }),
  'GET v1/sessions/:session/export': inPath,
  'GET v1/sessions/:session/events': inPath,
  'GET v1/sessions/:session/proof': () => ({ query: '?content=sealed' }),
  'GET v1/sessions/:session/page': inPath,
  'POST v1/log/rotate-key': inPath,
  'POST v1/log/verification': inPath,
  'GET v1/log/checkpoint': inPath,
  'GET v1/log/witnesses': inPath,
  'GET v1/log/tile/*': inPath,
  'GET v1/sessions/:session/occupancy': inPath,
  'GET v1/sessions/:session/retention-map': inPath,
  'GET v1/sessions/:session/messages': inPath,
  'GET v1/sessions/:session/messages/:message': inPath,
  'GET v1/sessions/:session/search': () => ({ query: '?text=zwiebel' }),
  'GET v1/sessions/:session/messages/:message/provenance': inPath,
  'POST v1/sessions/:session/recall': withBody({}),
  'POST v1/sessions/:session/messages': withBody({ messages: [{ role: 'user', content: 'Hello.' }] }),
  'POST v1/sessions/:session/complete-turn': withBody({}),
  'POST v1/sessions/:session/close': withBody({}),
  'POST v1/sessions/:session/fork': ({ fresh }) => ({ body: { as: fresh } }),
  'POST v1/sessions/:session/compose': withBody({}),
  'POST v1/sessions/:session/append-and-compose': withBody({}),
  'POST v1/sessions/:session/report-overflow': withBody({ message: 'prompt is too long' }),
  'POST v1/sessions/:session/report-edits': withBody([]),
  'POST v1/sessions/:session/usage': withBody({ usage: { inputTokens: 1, outputTokens: 1 } }),
  'PUT v1/sessions/:session/pins/:pin': withBody({ text: 'Mine.' }),
  'DELETE v1/sessions/:session/pins/:pin': inPath,
  'PATCH v1/sessions/:session/settings': withBody({ overrides: { warnAtShare: 0.5 } }),
  'POST v1/sessions/:session/defer': withBody({ until: 'turn-end', reason: 'to see whether I may' }),
  'POST v1/sessions/:session/release': withBody({}),
  'POST v1/sessions/:session/reset': withBody({ confirm: true }),
  'POST v1/sessions/:session/plan': withBody({}),
  'POST v1/sessions/:session/what-if': withBody({}),
  'POST v1/sessions/:session/revert': ({ compaction }) => ({ body: { compactionId: compaction } }),
  'GET v1/sessions/:session/compactions': inPath,
  'POST v1/sessions/:session/compactions': withBody({}),
  'GET v1/sessions/:session/compactions/:compaction': inPath,
  'POST gateway/anthropic/v1/messages': withBody(ASKED),
  'POST gateway/anthropic/v1/messages/count_tokens': withBody(ASKED),
  'POST gateway/openai/v1/chat/completions': withBody(ASKED),
  'POST gateway/openai/v1/responses/compact': withBody(ASKED),
  'POST gateway/openai/v1/responses': withBody({ model: 'gpt-5', previous_response_id: 'resp_of_nobody' }),
  'GET gateway/anthropic/v1/models': inPath,
  'GET gateway/anthropic/v1/models/:model': () => ({ path: { model: 'claude-opus-5' } }),
  'GET gateway/openai/v1/models': inPath,
  'GET gateway/openai/v1/models/:model': () => ({ path: { model: 'gpt-5' } }),
  'POST v1/sessions/:session/compactions/:compaction/cancel': withBody({}),
  'GET v1/sessions/:session/compactions/:compaction/outcome': () => ({ query: '?timeoutSeconds=1' }),
};
