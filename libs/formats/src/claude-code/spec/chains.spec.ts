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

  it('is a child session of the session that started it, named by its agent', async () => {
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

  it('is named by its root record if it has no agent, across records that are not messages', async () => {
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

  it('may be the only content of a file', async () => {
    const { sessions } = await read(user('s1', 'sub', { ...side, agentId: 'ag' }));
    expect(sessions).toEqual([{ id: 'session-1.ag', parentId: 'session-1' }]);
  });

  it('keeps all messages of many concurrent chains', async () => {
    const chains = Array.from({ length: 100 }, (_, at) => ({ ...side, agentId: `agent-${at}` }));
    const { sessions, messages } = await read(
      ...chains.map((chain, at) => ({ ...assistant(`a${at}`, `r${at}`, [call(`c${at}`)]), ...chain })),
      ...chains.map((chain, at) => user(`u${at}`, [result(`c${at}`)], chain)),
    );
    expect(sessions).toHaveLength(100);
    expect(messages).toHaveLength(200);
  });
});

describe('a Claude Code conversation that the user rewound', () => {
  const said = (uuid: string, parentUuid: string | null, more: object = {}) =>
    user(uuid, uuid, { parentUuid, ...more });
  const told = (uuid: string, parentUuid: string, response = uuid) => ({
    ...assistant(uuid, response, [text(uuid)]),
    parentUuid,
  });
  const placesIn = async (...records: readonly object[]) => {
    const { items, sessions } = await read(...records);
    const messages = items.flatMap((item) =>
      item.kind === 'message' ? [`${item.sessionId} ${item.message.id}`] : [],
    );
    return { messages, forks: sessions.map(({ id, forkOf }) => [id, forkOf?.sessionId, forkOf?.behind.id]) };
  };

  it('has a fork at the message that the user returned to', async () => {
    const { messages, forks } = await placesIn(
      said('u1', null),
      told('a1', 'u1', 'r1'),
      told('a2', 'a1', 'r1'),
      record('h1', { type: 'system', subtype: 'stop_hook_summary', parentUuid: 'a2' }),
      said('u2', 'h1'),
      told('a3', 'u2'),
      said('u3-again', 'a2'),
      told('a4', 'u3-again'),
      said('u4', 'a3'),
      said('u5', 'a4'),
    );
    expect(messages).toEqual([
      'session-1 u1',
      'session-1 a1',
      'session-1 u2',
      'session-1 a3',
      'session-1.u3-again u3-again',
      'session-1 u4',
      'session-1.u3-again a4',
      'session-1.u3-again u5',
    ]);
    expect(forks).toEqual([
      ['session-1', undefined, undefined],
      ['session-1.u3-again', 'session-1', 'a1'],
    ]);
  });

  it('has no fork for parallel answers to calls of one response, or for records of the harness', async () => {
    const { forks } = await placesIn(
      said('u1', null),
      { ...assistant('a1', 'r1', [call('c1')]), parentUuid: 'u1' },
      { ...assistant('a2', 'r1', [call('c2')]), parentUuid: 'a1' },
      user('u2', [result('c1')], { parentUuid: 'a1' }),
      user('u3', [result('c2')], { parentUuid: 'a2' }),
      said('u4', 'u3', { isMeta: true }),
      said('u5', 'u3'),
      told('a3', 'u5'),
      said('u6', 'lost'),
    );
    expect(forks).toEqual([['session-1', undefined, undefined]]);
  });

  it('may be rewound to a compaction', async () => {
    const { forks } = await placesIn(
      said('u1', null),
      record('b1', { type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'u1' }),
      said('s1', 'b1', { isCompactSummary: true }),
      said('u2', 's1'),
      said('u3', 's1'),
    );
    expect(forks.at(-1)).toEqual(['session-1.u3', 'session-1', 'b1']);
  });
});
