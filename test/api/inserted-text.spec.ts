import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

const DEMAND = 'You must never rename the Zwiebelfisch module.';
const OWN = 'You must always keep the Blaumeise tests.';
const TURNS = 7;
const time = (at: number) => ({ timestamp: `2026-01-02T03:04:${String(at).padStart(2, '0')}.000Z` });
const lines = (...records: readonly object[]): string => records.map((one) => JSON.stringify(one)).join('\n');
const reply = (turn: number): string => `Step ${turn} is done. ${'It was checked again. '.repeat(60)}`;
const asked = (turn: number): string => (turn === 0 ? OWN : `Go on with part ${turn}.`);
const turns = <Item>(make: (turn: number) => readonly Item[]): readonly Item[] =>
  Array.from({ length: TURNS }, (_, turn) => make(turn)).flat();
const wrapped = (text: string): string => `<skill>\n<name>modules</name>\n${text}\n</skill>`;

const claude = (uuid: string, type: string, content: unknown, more: object = {}) => ({
  ...{ type, uuid, parentUuid: null, sessionId: 's-inserted', cwd: '/w', ...time(1), ...more },
  message: { role: type, id: `r-${uuid}`, model: 'claude-x', content },
});
const pi = (id: string, parentId: string | null, message: object) => ({
  ...{ type: 'message', id, parentId, ...time(1), message },
});
const codex = (role: string, text: string) => ({
  ...{ ...time(1), type: 'response_item' },
  payload: {
    ...{ type: 'message', role },
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  },
});
const opencode = (id: string, role: string, parts: readonly object[]) => ({
  info: { id, role, time: { created: 1 }, ...(role === 'assistant' && { modelID: 'x' }) },
  parts,
});
const event = (id: number, source: string, action: string, args: object) => ({
  ...{ id, ...time(id), source, message: '', action, args },
});
const copilot = (id: string, type: string, data: object) => ({ type, data, id, ...time(1), parentId: null });
const chat = (turn: number) => [
  { role: 'user', content: turn === 0 ? `${wrapped(DEMAND)}\n${OWN}` : asked(turn) },
  { role: 'assistant', content: reply(turn) },
];

/** A transcript of each format in which the agent inserted a demand into a user message: flagged, or in its tags. */
const TRANSCRIPTS: Readonly<Record<string, string>> = {
  'claude-code': lines(
    claude('m0', 'user', DEMAND, { isMeta: true }),
    ...turns((turn) => [
      claude(`u${turn}`, 'user', asked(turn)),
      claude(`a${turn}`, 'assistant', [{ type: 'text', text: reply(turn) }]),
    ]),
  ),
  pi: lines(
    { type: 'session', version: 3, id: 'pi-inserted', ...time(0), cwd: '/w' },
    pi('c', null, { role: 'custom', content: DEMAND }),
    ...turns((turn) => [
      pi(`u${turn}`, turn === 0 ? 'c' : `a${turn - 1}`, { role: 'user', content: asked(turn) }),
      pi(`a${turn}`, `u${turn}`, {
        ...{ role: 'assistant', model: 'x' },
        content: [{ type: 'text', text: reply(turn) }],
      }),
    ]),
  ),
  codex: lines(
    { ...time(0), type: 'session_meta', payload: { id: 'codex-inserted', ...time(0), cwd: '/w' } },
    codex('user', `<user_instructions>\n${DEMAND}\n</user_instructions>`),
    codex('user', wrapped(DEMAND)),
    ...turns((turn) => [codex('user', asked(turn)), codex('assistant', reply(turn))]),
  ),
  opencode: JSON.stringify({
    info: { id: 'ses_inserted', version: '1', time: { created: 1 } },
    messages: turns((turn) => [
      opencode(`u${turn}`, 'user', [
        { type: 'text', text: asked(turn) },
        ...(turn === 0 ? [{ type: 'text', text: DEMAND, synthetic: true }] : []),
      ]),
      opencode(`a${turn}`, 'assistant', [{ type: 'text', text: reply(turn) }]),
    ]),
  }),
  'gemini-cli': JSON.stringify({
    ...{ sessionId: 'g-inserted', projectHash: 'h', startTime: time(0).timestamp },
    messages: turns((turn) => [
      {
        ...{ id: `u${turn}`, ...time(turn), type: 'user' },
        content: turn === 0 ? [{ text: OWN }, { text: DEMAND }] : [{ text: asked(turn) }],
        ...(turn === 0 && { displayContent: OWN }),
      },
      { id: `a${turn}`, ...time(turn), type: 'gemini', content: reply(turn), model: 'x' },
    ]),
  }),
  'copilot-cli': lines(
    copilot('s', 'session.start', { sessionId: 'k-inserted' }),
    ...turns((turn) => [
      copilot(`u${turn}`, 'user.message', {
        content: asked(turn),
        transformedContent: turn === 0 ? `${DEMAND}\n\n${OWN}\n\n${DEMAND}` : asked(turn),
      }),
      copilot(`a${turn}`, 'assistant.message', { content: reply(turn), model: 'x' }),
    ]),
  ),
  openhands: lines({
    history: [
      event(0, 'agent', 'system', { content: 'Be brief.', tools: [] }),
      {
        ...event(1, 'agent', 'x', {}),
        action: undefined,
        observation: 'recall',
        content: '',
        extras: { repo_instructions: DEMAND },
      },
      ...turns((turn) => [
        event(2 * turn + 2, 'user', 'message', { content: asked(turn) }),
        event(2 * turn + 3, 'agent', 'message', { content: reply(turn) }),
      ]),
    ],
  }),
  'swe-agent': JSON.stringify({
    trajectory: [{ action: 'ls', observation: 'a', response: 'ls' }],
    history: [
      { role: 'user', content: DEMAND, agent: 'main', is_demo: true },
      ...turns((turn) => [
        { role: 'user', content: turn === 0 ? OWN : DEMAND, agent: 'main' },
        { role: 'assistant', content: reply(turn), agent: 'main' },
      ]),
    ],
    info: { model_stats: {} },
  }),
  'openai-messages': lines({ role: 'system', content: 'Be brief.' }, ...turns(chat)),
  'openai-responses': JSON.stringify(
    turns((turn) => {
      const [user, assistant] = chat(turn);
      return [
        { type: 'message', ...user },
        { type: 'reasoning', id: `rs${turn}`, summary: [], encrypted_content: 'x' },
        { type: 'message', ...assistant },
      ];
    }),
  ),
  'anthropic-messages': JSON.stringify({ model: 'claude-x', messages: turns(chat) }),
};

/** Covers imports and live messages. */
describe('text that an agent inserted into a user message', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(() => api.stop());
  const post = (path: string, body: unknown = {}) => api.call('POST', `/v1/sessions${path}`, body);
  const summaryOf = async (session: string): Promise<string> => {
    await api.call('PATCH', `/v1/sessions/${session}/settings`, {
      overrides: { keepRecentTurns: 1, keepUserMessageTokens: 400 },
      window: 20_000,
    });
    const { body } = await post(`/${session}/compactions?wait=true`);
    expect(body).toMatchObject({ outcome: 'completed' });
    const context = await api.call('GET', `/v1/sessions/${session}/context`);
    const { request } = context.body as { request: { messages: { content: { text: string }[] }[] } };
    return request.messages[0]?.content[0]?.text ?? '';
  };
  /** Expects the summary to quote the user's words, but not the agent's. */
  const expectTold = (summary: string): void => {
    const quotes = summary.split('\n').filter((line) => line.startsWith('> '));
    expect(quotes.join('\n')).toContain(OWN);
    expect(quotes.join('\n')).not.toContain('Zwiebelfisch');
    expect(summary.split('## Constraints')[1]?.split('\n## ')[0] ?? '').not.toContain('Zwiebelfisch');
  };

  // Holds rule 6.10.
  it.each(Object.entries(TRANSCRIPTS))(
    'is not quoted as the user’s demand in a transcript of %s',
    async (format, text) => {
      const imported = await api.call('POST', `/v1/imports?name=${format}.jsonl`, text, {
        'content-type': 'application/octet-stream',
      });
      expect(imported).toMatchObject({ status: 200, body: { sessions: [{ format }], skipped: [] } });
      const { sessions } = imported.body as { sessions: [{ session: string }] };
      expectTold(await summaryOf(sessions[0].session));
    },
  );

  // Holds rule 6.10.
  it.each([
    ['codex', wrapped(DEMAND)],
    ['claude-code', `<system-reminder>\n${DEMAND}\n</system-reminder>`],
    ['pi', `<skill name="modules" location="/s">\n${DEMAND}\n</skill>`],
    ['gemini-cli', `--- Content from referenced files ---\n${DEMAND}\n--- End of content ---`],
    ['openhands', `<REPOSITORY_INSTRUCTIONS>\n${DEMAND}\n</REPOSITORY_INSTRUCTIONS>`],
    ['cline', `<file_content path="a.md">\n${DEMAND}\n</file_content>`],
    ['copilot', `<system_reminder>${DEMAND}</system_reminder>`],
  ])('is not quoted as the user’s demand in live messages of %s', async (agent, text) => {
    const session = `live-${agent}`;
    await post('', { session, window: 20_000 });
    const messages = turns((turn) => [
      { role: 'user', content: turn === 0 ? `${text}\n${OWN}` : asked(turn) },
      { role: 'assistant', content: reply(turn) },
    ]);
    await post(`/${session}/messages`, { messages, stopReason: 'end_turn' });
    expectTold(await summaryOf(session));
  });
});
