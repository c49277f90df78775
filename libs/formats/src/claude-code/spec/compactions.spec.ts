import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-01-23T15:42:39.681Z';
const record = (uuid: string, more: object) => ({
  parentUuid: null,
  isSidechain: false,
  sessionId: 's',
  timestamp: AT,
  version: '2.1.7',
  uuid,
  ...more,
});
const user = (uuid: string, content: unknown, more: object = {}) =>
  record(uuid, { type: 'user', message: { role: 'user', content }, ...more });
const answer = (uuid: string, words: string) =>
  record(uuid, {
    type: 'assistant',
    message: { id: `r-${uuid}`, role: 'assistant', content: [{ type: 'text', text: words }] },
  });
const boundary = (uuid: string, metadata: object = {}, more: object = {}) =>
  record(uuid, {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto', preTokens: 156_699, ...metadata },
    ...more,
  });
const summary = (uuid: string, words: string, more: object = {}) =>
  user(uuid, words, { isCompactSummary: true, ...more });

const read = async (...records: readonly object[]) => {
  const transcript = await readTranscript(linesOf(...records));
  const compactions = transcript.items.flatMap((item) =>
    item.kind === 'compaction' ? [{ sessionId: item.sessionId, ...item.compaction }] : [],
  );
  return { ...transcript, compactions };
};

describe('a compaction of Claude Code', () => {
  it('is a boundary record with the summary that follows', async () => {
    const { items, compactions } = await read(
      user('u1', 'go'),
      answer('a1', 'working'),
      boundary('b1'),
      summary('u2', 'All that was done.'),
      answer('a2', 'going on'),
    );
    expect(items.map((item) => (item.kind === 'message' ? item.message.id : item.kind))).toEqual([
      'session',
      'u1',
      'a1',
      'compaction',
      'a2',
    ]);
    expect(compactions).toEqual([
      {
        sessionId: 's',
        id: 'b1',
        summary: 'All that was done.',
        retained: { kind: 'none' },
        trigger: 'automatic',
        createdAt: AT,
        agentVersion: '2.1.7',
        tokensBefore: 156_699,
      },
    ]);
  });

  it('has trigger, duration and remaining size if the record states them', async () => {
    const metadata = { trigger: 'manual', durationMs: 31_000, postTokens: 9_000 };
    const { compactions } = await read(user('u1', 'go'), boundary('b1', metadata), summary('u2', 'So far.'));
    expect(compactions).toMatchObject([{ trigger: 'manual', durationMs: 31_000, tokensAfter: 9_000 }]);
  });

  it('keeps the newest messages if the record names them', async () => {
    const segment = { headUuid: 'u2', anchorUuid: 's1', tailUuid: 'a2' };
    const { compactions } = await read(
      user('u1', 'go'),
      answer('a1', 'done'),
      user('u2', 'more'),
      answer('a2', 'done'),
      boundary('b1', { preservedSegment: segment }),
      summary('s1', 'So far.'),
    );
    expect(compactions).toMatchObject([{ retained: { kind: 'from', messageId: 'u2' } }]);
  });

  it('may be a summary without a boundary record, as in older versions', async () => {
    const { compactions, skipped } = await read(user('u1', 'go'), summary('u2', 'So far.'));
    expect(compactions).toMatchObject([{ id: 'u2', summary: 'So far.', retained: { kind: 'none' } }]);
    expect(skipped).toEqual([]);
  });

  it('is reported if its summary is missing', async () => {
    const { compactions, items } = await read(
      user('u1', 'go'),
      boundary('b1'),
      user('u2', 'more'),
      boundary('b2'),
    );
    expect(compactions).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'skipped')).toEqual([
      { kind: 'skipped', line: 2, reason: 'is a compaction without a summary' },
      { kind: 'skipped', line: 4, reason: 'is a compaction without a summary' },
    ]);
  });

  it('of a side chain belongs to the side chain', async () => {
    const side = { isSidechain: true, agentId: 'agent' };
    const { compactions } = await read(
      user('u1', 'go'),
      user('x1', 'look', side),
      boundary('b1', {}, side),
      summary('x2', 'Looked.', side),
    );
    expect(compactions).toMatchObject([{ sessionId: 's.agent', summary: 'Looked.' }]);
  });

  it('is imported once if a resumed file contains it twice', async () => {
    const twice = [boundary('b1'), summary('u2', 'So far.')];
    const { compactions, skipped } = await read(user('u1', 'go'), ...twice, ...twice);
    expect(compactions).toHaveLength(1);
    expect(skipped).toEqual([]);
  });
});
