import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-01-23T15:42:39.681Z';
const told = ({ items }: Awaited<ReturnType<typeof readTranscript>>) =>
  items.flatMap((item): readonly unknown[] => {
    if (item.kind === 'message') return [item.message.id];
    return item.kind === 'pruning' ? [item.pruning] : [];
  });

describe('outputs that Claude Code cleared', () => {
  const record = (uuid: string, more: object) => ({
    uuid,
    parentUuid: null,
    sessionId: 's',
    timestamp: AT,
    ...more,
  });
  const said = (uuid: string, role: string, content: unknown) =>
    record(uuid, { type: role, message: { id: `r-${uuid}`, role, content } });
  const microcompact = (ids: readonly string[]) =>
    record('b', {
      ...{ type: 'system', subtype: 'microcompact_boundary', content: 'Context microcompacted' },
      microcompactMetadata: {
        trigger: 'auto',
        preTokens: 90_000,
        tokensSaved: 20_000,
        compactedToolIds: ids,
      },
    });
  const before = [
    said('u1', 'user', 'go'),
    said('a1', 'assistant', [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }]),
    said('u2', 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'long' }]),
  ];

  // Holds rule 11.12.
  it('are cleared at the marker record, after the messages before it', async () => {
    const transcript = await readTranscript(
      linesOf(...before, microcompact(['t1']), said('u3', 'user', 'on')),
    );
    expect(told(transcript)).toEqual(['u1', 'a1', 'u2', { callIds: ['t1'], createdAt: AT }, 'u3']);
    expect(transcript.skipped).toEqual([]);
  });

  it('include outputs that the model received as an excerpt, in their own chain', async () => {
    const replaced = (more: object) => ({ type: 'content-replacement', sessionId: 's', ...more });
    const { items } = await readTranscript(
      linesOf(
        ...before,
        replaced({ replacements: [{ kind: 'tool-result', toolUseId: 't1', replacement: 'lo…' }] }),
        { ...said('x1', 'user', 'look'), isSidechain: true, agentId: 'ag' },
        replaced({ replacements: [{ toolUseId: 't2' }], agentId: 'ag' }),
        replaced({ replacements: [{ toolUseId: 't3' }], agentId: 'silent' }),
        replaced({ replacements: ['x'] }),
        said('u3', 'user', 'on'),
      ),
    );
    expect(items.filter(({ kind }) => kind === 'pruning')).toEqual([
      { kind: 'pruning', sessionId: 's', pruning: { callIds: ['t1'] } },
      { kind: 'pruning', sessionId: 's.ag', pruning: { callIds: ['t2'] } },
    ]);
  });

  it('are none if the marker names none', async () =>
    expect(told(await readTranscript(linesOf(...before, microcompact([]))))).toEqual(['u1', 'a1', 'u2']));
});

describe('outputs that OpenCode cleared', () => {
  const at = (created: number) => ({ created });
  const tool = (callID: string, compacted?: number) => ({
    ...{ type: 'tool', callID, tool: 'read' },
    state: {
      status: 'completed',
      input: {},
      output: 'long',
      time: { start: 1, end: 2, ...(compacted && { compacted }) },
    },
  });
  const answer = (id: string, created: number, ...parts: readonly object[]) => ({
    info: { id, role: 'assistant', time: at(created) },
    parts,
  });
  const asked = (id: string, created: number) => ({
    info: { id, role: 'user', time: at(created) },
    parts: [{ type: 'text', text: id }],
  });
  const read = (...messages: readonly object[]) =>
    readTranscript(JSON.stringify({ info: { id: 'ses_1', projectID: 'p' }, messages }, null, 1));

  // Holds rule 11.12.
  it('are cleared before the first message created after the clearing, or at the end', async () => {
    const transcript = await read(
      asked('m1', 10),
      answer('m2', 20, tool('c1', 45), tool('c2', 75)),
      asked('m3', 30),
      answer('m4', 40, tool('c3')),
      asked('m5', 50),
    );
    const cleared = (callId: string, time: number) => ({
      callIds: [callId],
      createdAt: new Date(time).toISOString(),
    });
    expect(told(transcript)).toEqual([
      ...['m1', 'm2', 'm2.results', 'm3', 'm4', 'm4.results'],
      cleared('c1', 45),
      'm5',
      cleared('c2', 75),
    ]);
  });
});
