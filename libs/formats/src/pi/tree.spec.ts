import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-05-20T10:00:33.231Z';
const header = { type: 'session', version: 3, id: 'p', timestamp: AT, cwd: '/', modelId: 'm' };
const said = (id: string, parentId: string | null, role = 'user') => ({
  type: 'message',
  id,
  parentId,
  timestamp: AT,
  message: { role, content: [{ type: 'text', text: id }] },
});
const compaction = (id: string, parentId: string, more: object = {}) => ({
  type: 'compaction',
  id,
  parentId,
  timestamp: AT,
  summary: 'So far.',
  tokensBefore: 9_000,
  ...more,
});
const read = async (...records: readonly object[]) => readTranscript(linesOf(header, ...records));
const told = async (...records: readonly object[]) =>
  (await read(...records)).items.flatMap((item) => {
    if (item.kind === 'session') return [`open ${item.session.id}`];
    if (item.kind === 'message') return [`${item.sessionId} ${item.message.id}`];
    return item.kind === 'compaction' ? [`${item.sessionId} compacts ${item.compaction.id}`] : [];
  });

describe('a pi session tree', () => {
  it('is one session without abandoned branches', async () =>
    expect(
      await told(
        said('a', null),
        said('b', 'a', 'assistant'),
        { type: 'label', id: 'l', parentId: 'b' },
        said('c', 'l'),
      ),
    ).toEqual(['open p', 'p a', 'p b', 'p c']));

  it('has a fork for each branch that leaves another', async () => {
    const records = [
      said('a', null),
      said('b', 'a', 'assistant'),
      said('c', 'b'),
      said('d', 'c', 'assistant'),
      { type: 'branch_summary', id: 'e', parentId: 'b', timestamp: AT, summary: 'Tried c.' },
      said('f', 'e'),
      said('g', 'd'),
      said('h', 'e'),
    ];
    expect(await told(...records)).toEqual([
      'open p',
      'p a',
      'p b',
      'p c',
      'p d',
      'open p.e',
      'p.e e',
      'p.e f',
      'p g',
      'open p.h',
      'p.h h',
    ]);
    const { sessions } = await read(...records);
    expect(sessions.map(({ id, forkOf }) => [id, forkOf])).toEqual([
      ['p', undefined],
      ['p.e', { sessionId: 'p', behind: { kind: 'message', id: 'b' } }],
      ['p.h', { sessionId: 'p.e', behind: { kind: 'message', id: 'e' } }],
    ]);
  });

  it('may branch at records that are not messages, and before the first message', async () => {
    const change = { type: 'model_change', id: 'x', parentId: 'a', timestamp: AT, modelId: 'other' };
    const { sessions } = await read(said('a', null), said('b', 'a'), change, said('c', 'x'), said('d', null));
    expect(sessions.map(({ id, forkOf }) => [id, forkOf?.behind.id])).toEqual([
      ['p', undefined],
      ['p.x', 'a'],
      ['p.d', undefined],
    ]);
  });

  it('continues after a lost line', async () =>
    expect(await told(said('a', null), said('c', 'b'), said('d', 'c'))).toEqual([
      'open p',
      'p a',
      'p c',
      'p d',
    ]));
});

describe('a compaction of pi', () => {
  it('has its summary and the first kept message', async () => {
    const { items } = await read(
      said('a', null),
      said('b', 'a', 'assistant'),
      said('c', 'b'),
      compaction('k', 'c', { firstKeptEntryId: 'b' }),
    );
    expect(items.at(-1)).toEqual({
      kind: 'compaction',
      sessionId: 'p',
      compaction: {
        id: 'k',
        summary: 'So far.',
        retained: { kind: 'from', messageId: 'b' },
        createdAt: AT,
        tokensBefore: 9_000,
      },
    });
  });

  it('may name its first kept record by a record that is not a message, or by list position', async () => {
    const change = { type: 'model_change', id: 'x', parentId: 'a', timestamp: AT, modelId: 'other' };
    const tree = await read(
      said('a', null),
      change,
      said('b', 'x'),
      compaction('k', 'b', { firstKeptEntryId: 'x' }),
    );
    expect(tree.items.at(-1)).toMatchObject({ compaction: { retained: { messageId: 'b' } } });
    const listed = [said('x', null), said('y', null), compaction('', '', { firstKeptEntryIndex: 2 })].map(
      ({ id: _, parentId: __, ...record }) => record,
    );
    const list = await read(...listed);
    expect(list.items.at(-1)).toMatchObject({ compaction: { retained: { messageId: 'message-2' } } });
  });

  it('may contain its kept messages and its cost', async () => {
    const retainedTail = [
      { role: 'user', content: 'b' },
      { role: 'assistant', content: [] },
      { role: 'bashExecution', command: 'ls', output: 'c' },
    ];
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const { items } = await read(said('a', null), compaction('k', 'a', { retainedTail, usage }));
    expect(items.at(-1)).toMatchObject({
      compaction: {
        retained: {
          kind: 'listed',
          messages: [
            { role: 'user', blocks: [{ type: 'text', text: 'b' }] },
            { role: 'user', blocks: [{ type: 'text', text: '$ ls\nc' }] },
          ],
        },
        usage: { inputTokens: 1, cacheReadTokens: 3, cacheWriteTokens: 4, outputTokens: 2 },
      },
    });
  });

  it('of a branch may keep messages from before the branch', async () => {
    const { items } = await read(
      said('a', null),
      said('b', 'a', 'assistant'),
      said('c', 'b'),
      said('d', 'b'),
      compaction('k', 'd', { firstKeptEntryId: 'b' }),
    );
    expect(items.at(-1)).toMatchObject({
      sessionId: 'p.d',
      compaction: { retained: { kind: 'from', messageId: 'b' } },
    });
  });

  it('may lie on an abandoned branch', async () => {
    const records = [said('a', null), compaction('k', 'a'), said('b', 'k'), said('c', 'k')];
    const { sessions } = await read(...records);
    expect(sessions.at(-1)).toMatchObject({
      id: 'p.c',
      forkOf: { sessionId: 'p', behind: { kind: 'compaction', id: 'k' } },
    });
  });

  it('is reported if it has no summary', async () => {
    const { skipped } = await read(said('a', null), compaction('k', 'a', { summary: '' }));
    expect(skipped).toEqual([3]);
  });
});
