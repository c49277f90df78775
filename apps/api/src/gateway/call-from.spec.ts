import { agentIn, agentSessionIn, upstreamPath } from './call-from.js';

const ID = '5dec532a-97ba-495f-ad80-5dea1620e052';
const tools = [{ name: 'Bash' }];

describe("agent's own session ID", () => {
  it.each([
    ['a header of Claude Code', { 'x-claude-code-session-id': ID }, { tools }],
    ['a header of OpenCode', { 'x-session-id': ID }, { tools }],
    ['a header of pi', { session_id: ID }, { tools }],
    ['the user ID of Claude Code', {}, { tools, metadata: { user_id: JSON.stringify({ session_id: ID }) } }],
    ['the former user ID', {}, { tools, metadata: { user_id: `user_1_account__session_${ID}` } }],
    ['the metadata of Codex, whose tools are messages', {}, { client_metadata: { thread_id: ID } }],
    ['the cache key', {}, { tools, prompt_cache_key: ID }],
  ])('is read from %s', (_, headers, body) => {
    expect(agentSessionIn(headers, body)).toBe(ID);
  });

  it.each([
    ['a request without tools, such as for a title', { 'x-session-id': ID }, {}],
    ['an invalid ID', { 'x-session-id': '../../etc/passwd' }, { tools }],
    ['a short cache key, which several conversations may share', {}, { tools, prompt_cache_key: 'main' }],
    ['a long ID', { 'x-session-id': 'a'.repeat(81) }, { tools }],
    ['metadata of another form', {}, { tools, metadata: { user_id: 7 }, client_metadata: [] }],
  ])('is absent for %s', (_, headers, body) => {
    expect(agentSessionIn(headers, body)).toBeUndefined();
  });
});

describe('the agent of a user agent', () => {
  it.each([
    ['claude-cli/2.0.14 (external, cli)', 'claude-code'],
    ['codex_cli_rs/0.142.2 (Ubuntu 24.4.0; x86_64)', 'codex'],
    ['codex-tui/0.142.2', 'codex'],
    ['opencode/1.4.3', 'opencode'],
    ['OpenHands/0.60', 'openhands'],
  ])('%s is %s', (userAgent, agent) => {
    expect(agentIn(userAgent)).toBe(agent);
  });

  it.each([[undefined], [''], ['Anthropic/Python 0.70.0'], ['node'], ['my-codex/1']])(
    '%s is not known',
    (userAgent) => {
      expect(agentIn(userAgent)).toBeUndefined();
    },
  );
});

describe('the upstream path of a gateway request', () => {
  it.each([
    ['/gateway/openai/v1/models/gpt-5?limit=2', '/models/gpt-5?limit=2'],
    ['/gateway/anthropic/v1/models/claude%2Done', '/v1/models/claude%2Done'],
    ['/gateway/openai/v1/models/owner%2Fmodel:7b', '/models/owner%2Fmodel:7b'],
    ['/gateway/anthropic/v1/models?key=pal_abc&after=x', '/v1/models?after=x'],
    ['/gateway/anthropic/v1/models?key=pal%5Fabc', '/v1/models'],
    ['/gateway/anthropic/v1/models?a=the-configured-key', '/v1/models'],
  ])('of %s is %s', (url, path) => {
    expect(upstreamPath(url, 'the-configured-key')).toBe(path);
  });

  it.each([
    '..%2f..%2fx',
    '..',
    '%2e%2e',
    '.',
    'a%2f..%2fb',
    'a%5cb',
    '%252e%252e',
    'a%00',
    'a%0d%0ab',
    'a%2f%2fb',
    '%',
    '',
  ])('has no segment %s', (segment) => {
    expect(() => upstreamPath(`/gateway/openai/v1/models/${segment}`, undefined)).toThrow('unknown route');
  });
});
