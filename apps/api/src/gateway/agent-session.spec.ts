import { agentSessionIn } from './call-from.js';

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
