import { linesOf, readTranscript } from '@app/testing';

const AT = '2025-06-26T12:24:12.748Z';
const message = (role: string, text: string) => ({
  ...{ type: 'message', role },
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' };

describe('a rollout of the first Codex versions', () => {
  const header = { id: 'old-1', timestamp: AT, instructions: 'Be brief.', git: { branch: 'main' } };

  // Holds rule 11.10.
  it('is a header and bare items, with state records in between', async () => {
    const { format, sessions, messages, skipped } = await readTranscript(
      linesOf(
        header,
        { record_type: 'state' },
        message('user', 'go'),
        { record_type: 'state' },
        reasoning,
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'shell', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'done' },
        message('assistant', 'Done.'),
      ),
    );
    expect({ format, skipped }).toEqual({ format: 'codex', skipped: [] });
    expect(sessions).toEqual([{ id: 'old-1', system: 'Be brief.' }]);
    expect(messages.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'thinking', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
    ]);
  });

  it('may have only an id and a time in its header', async () => {
    const { format, sessions, skipped } = await readTranscript(
      linesOf({ id: 'old-1', timestamp: AT }, { record_type: 'state' }, message('user', 'go')),
    );
    expect({ format, skipped }).toEqual({ format: 'codex', skipped: [] });
    expect(sessions).toEqual([{ id: 'old-1' }]);
  });

  // Holds rule 11.10.
  it('may be a document with its items in a list', async () => {
    const session = { id: 'old-1', timestamp: AT, instructions: '' };
    const { format, sessions, messages, skipped } = await readTranscript(
      JSON.stringify({ session, items: [message('user', 'go'), message('assistant', 'Done.')] }, null, 2),
    );
    expect({ format, skipped }).toEqual({ format: 'codex', skipped: [] });
    expect(sessions).toEqual([{ id: 'old-1' }]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is distinguished from a session that continues with payloads', async () => {
    const { sessions } = await readTranscript(
      linesOf(header, { timestamp: AT, type: 'response_item', payload: message('user', 'go') }),
    );
    expect(sessions).toMatchObject([{ id: 'old-1' }]);
  });
});
