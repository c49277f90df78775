import { linesOf, readTranscript } from '@app/testing';

const record = (uuid: string, more: object) => ({ parentUuid: null, sessionId: 'session-1', uuid, ...more });
const user = (uuid: string, content: unknown, more: object = {}) =>
  record(uuid, { type: 'user', message: { role: 'user', content }, ...more });
const assistant = (uuid: string, id: string, content: unknown) =>
  record(uuid, { type: 'assistant', message: { id, role: 'assistant', model: 'claude-x', content } });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Task', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' });
const read = (...records: readonly object[]) => readTranscript(linesOf(...records));

describe('a side chain', () => {
  const side = { isSidechain: true };

  it('is a session under the one that started it, by its agent', async () => {
    const { items } = await read(
      user('u1', 'go'),
      assistant('a1', 'r1', [call('task')]),
      user('s1', 'sub', { ...side, agentId: 'ag' }),
      { ...assistant('s2', 'r2', [text('sub answer')]), ...side, agentId: 'ag' },
      user('u2', [result('task')]),
    );
    expect(items.filter((item) => item.kind === 'session')).toEqual([
      { kind: 'session', session: { id: 'session-1', model: 'claude-x' } },
      { kind: 'session', session: { id: 'session-1.ag', parentId: 'session-1', model: 'claude-x' } },
    ]);
    const ofSession = (id: string) =>
      items.flatMap((item) => (item.kind === 'message' && item.sessionId === id ? [item.message.id] : []));
    expect(ofSession('session-1')).toEqual(['u1', 'a1', 'u2']);
    expect(ofSession('session-1.ag')).toEqual(['s1', 's2']);
  });

  it('is named by its root where it has no agent, through records that are no messages', async () => {
    const { items } = await read(
      user('u1', 'go'),
      user('aaaaaaaa-1', 'one', { ...side, parentUuid: 'u1' }),
      user('aaaaaaaa-2', 'two', { ...side, parentUuid: null }),
      record('p1', { type: 'progress', ...side, parentUuid: 'aaaaaaaa-1' }),
      { ...assistant('s1', 'r1', [text('x')]), ...side, parentUuid: 'p1' },
      { ...assistant('s2', 'r2', [text('y')]), ...side, parentUuid: 'aaaaaaaa-2' },
    );
    const places = items.flatMap((item) =>
      item.kind === 'message' ? [`${item.sessionId} ${item.message.id}`] : [],
    );
    expect(places.sort()).toEqual([
      'session-1 u1',
      'session-1.aaaaaaaa aaaaaaaa-1',
      'session-1.aaaaaaaa s1',
      'session-1.aaaaaaaa-2 aaaaaaaa-2',
      'session-1.aaaaaaaa-2 s2',
    ]);
  });

  it('may be all that a file holds', async () => {
    const { sessions } = await read(user('s1', 'sub', { ...side, agentId: 'ag' }));
    expect(sessions).toEqual([{ id: 'session-1.ag', parentId: 'session-1' }]);
  });

  it('loses nothing where a great many are under way at once', async () => {
    const chains = Array.from({ length: 100 }, (_, at) => ({ ...side, agentId: `agent-${at}` }));
    const { sessions, messages } = await read(
      ...chains.map((chain, at) => ({ ...assistant(`a${at}`, `r${at}`, [call(`c${at}`)]), ...chain })),
      ...chains.map((chain, at) => user(`u${at}`, [result(`c${at}`)], chain)),
    );
    expect(sessions).toHaveLength(100);
    expect(messages).toHaveLength(200);
  });
});
