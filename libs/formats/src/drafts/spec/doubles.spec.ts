import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-06-26T12:24:12.748Z';
const codex = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const item = (text: string) =>
  codex('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const pi = (id: string | undefined, text: string) => ({
  ...{ type: 'message', ...(id && { id, parentId: null }), timestamp: AT },
  message: { role: 'user', content: text },
});
const openCode = (id: string) => ({
  info: { id, sessionID: 'ses_1', role: 'user', time: { created: 1 } },
  parts: [{ type: 'text', text: id }],
});
const copilot = (id: string) => ({
  ...{ type: 'user.message', id, parentId: null, timestamp: AT, data: { content: id } },
});

const TWICE = {
  codex: [item('a'), item('b'), item('a'), item('b')],
  pi: [pi('a', 'a'), pi('b', 'b'), pi('a', 'a'), pi('b', 'b')],
  'pi as a list': [pi(undefined, 'a'), pi(undefined, 'b'), pi(undefined, 'a'), pi(undefined, 'b')],
  opencode: [openCode('a'), openCode('b'), openCode('a'), openCode('b')],
  'copilot-cli': [copilot('a'), copilot('b'), copilot('a'), copilot('b')],
};

describe.each(Object.entries(TWICE))('a duplicate record in a file of %s', (_, records) => {
  // Holds rule 11.6.
  it('is imported once, and the second occurrence is reported', async () => {
    const { messages, skipped } = await readTranscript(linesOf(...records));
    expect(messages).toHaveLength(2);
    expect(skipped).toEqual([3, 4]);
  });
});

const gemini = (id: string, content: string, timestamp: string) => ({
  id,
  timestamp,
  type: 'gemini',
  content,
});
const SAME_ID = {
  'claude-code': ['go', 'on'].map((content) => ({
    ...{ type: 'user', uuid: 'same', parentUuid: null, sessionId: 's', timestamp: AT },
    message: { role: 'user', content },
  })),
  opencode: ['go', 'on'].map((text) => ({ ...openCode('same'), parts: [{ type: 'text', text }] })),
  'gemini-cli': [gemini('same', 'go', AT), gemini('same', 'on', '2026-06-26T12:25:00.000Z')],
  pi: [pi('same', 'go'), pi('same', 'on')],
  'openai-responses': ['go', 'on'].map((text) => ({
    ...{ type: 'message', id: 'same', role: 'user', content: [{ type: 'input_text', text }] },
  })),
  'anthropic-messages': ['go', 'on'].map((content) => ({ role: 'user', id: 'same', content })),
};

describe.each(Object.entries(SAME_ID))('one id for two records in a file of %s', (format, records) => {
  // Holds rule 11.7.
  it('keeps both records', async () => {
    const transcript = await readTranscript(linesOf(...records));
    expect(transcript).toMatchObject({ format, skipped: [] });
    expect(JSON.stringify(transcript.messages)).toMatch(/go.*on/);
    expect(new Set(transcript.messages.map(({ id }) => id)).size).toBe(transcript.messages.length);
  });
});

describe('a chat', () => {
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  };
  const result = { role: 'tool', tool_call_id: 'c', content: 'done' };
  const words = { role: 'user', content: 'go' };

  // Holds rule 11.6.
  it('drops an immediately repeated call or result, and keeps repeated text', async () => {
    const { messages, skipped } = await readTranscript(linesOf(words, words, call, call, result, result));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
    expect(skipped).toEqual([4, 6]);
  });

  it('keeps a call that the model repeated', async () => {
    const { messages, skipped } = await readTranscript(linesOf(words, call, result, call, result));
    expect([messages.length, skipped]).toEqual([5, []]);
  });
});

const TOMORROW = {
  type: 'a_kind_of_tomorrow',
  timestamp: AT,
  payload: { words: 'x' },
  data: {},
  parentId: null,
};
const NEWER = {
  'claude-code': [
    { type: 'user', uuid: 'u', parentUuid: null, message: { role: 'user', content: 'go' } },
    TOMORROW,
  ],
  codex: [item('a'), TOMORROW],
  pi: [pi('a', 'a'), TOMORROW],
  'copilot-cli': [copilot('a'), TOMORROW],
};

describe.each(Object.entries(NEWER))('a record of unknown type in a file of %s', (format, records) => {
  // Holds rule 11.5.
  it('is reported by its line', async () => {
    expect(await readTranscript(linesOf(...records))).toMatchObject({ format, skipped: [2] });
  });
});

const AGAIN = {
  codex: [codex('session_meta', { id: 'one' }), item('a'), codex('session_meta', { id: 'two' }), item('b')],
  'copilot-cli': ['one', 'two'].flatMap((sessionId) => [
    { ...copilot(`start ${sessionId}`), type: 'session.start', data: { sessionId } },
    copilot(sessionId),
  ]),
  pi: ['one', 'two'].flatMap((id) => [{ type: 'session', id, cwd: '/', timestamp: AT }, pi(`${id}.a`, id)]),
};

describe.each(Object.entries(AGAIN))('a file of %s with the header of a second session', (_, records) => {
  // Holds rule 11.8.
  it('yields two sessions', async () => {
    const { sessions, messages, skipped } = await readTranscript(linesOf(...records));
    expect(sessions.map(({ id }) => id)).toEqual(['one', 'two']);
    expect([messages.length, skipped]).toEqual([2, []]);
  });
});

describe('a forked Codex rollout', () => {
  it('begins with the header of its source, and is one session', async () => {
    const { sessions } = await readTranscript(
      linesOf(
        codex('session_meta', { id: 'two', forked_from_id: 'one' }),
        codex('session_meta', { id: 'one' }),
        item('a'),
      ),
    );
    expect(sessions.map(({ id }) => id)).toEqual(['two']);
  });
});
