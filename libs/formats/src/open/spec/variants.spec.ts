import { gzipSync } from 'node:zlib';
import { linesOf, readTranscript } from '@app/testing';

const AT = '2026-06-26T12:24:12.748Z';
const claude = (uuid: string, text: string) => ({
  ...{ type: 'user', uuid, parentUuid: null, sessionId: 's', timestamp: AT },
  message: { role: 'user', content: text },
});
const codex = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const said = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const openCode = (id: string) => ({
  info: { id, sessionID: 'ses_1', role: 'user', time: { created: 1 } },
  parts: [{ type: 'text', text: id }],
});
const gemini = (id: string) => ({ id, timestamp: AT, type: 'gemini', content: id });
const pi = (id: string) => ({
  ...{ type: 'message', id, parentId: null, timestamp: AT },
  message: { role: 'user', content: id },
});
const copilot = (id: string) => ({
  ...{ type: 'user.message', id, parentId: null, timestamp: AT, data: { content: id } },
});

const FILES = {
  'claude-code': [claude('a', 'go'), claude('b', 'on')],
  codex: [codex('response_item', said('go')), codex('response_item', said('on'))],
  opencode: [openCode('a'), openCode('b')],
  'gemini-cli': [gemini('a'), gemini('b')],
  pi: [pi('a'), pi('b')],
  'copilot-cli': [copilot('a'), copilot('b')],
  'openai-messages': [[{ role: 'system', content: 'x' }], [{ role: 'system', content: 'y' }]],
};
const shapeOf = ({ format, messages, skipped }: Awaited<ReturnType<typeof readTranscript>>) => ({
  ...{ format, skipped, messages: messages.map(({ blocks }) => blocks) },
});

describe.each(Object.entries(FILES))('the records of a %s file', (format, records) => {
  // Holds rule 11.1.
  it.each([
    ['a list on one line', JSON.stringify(records)],
    ['a list over many lines', JSON.stringify(records, null, 2)],
    ['a list with one record per line', `[\n${records.map((one) => JSON.stringify(one)).join(',\n')}\n]`],
    ['a member of an object', JSON.stringify({ name: 'n', records }, null, 1)],
  ])('are read the same from %s', async (_, text) => {
    const lines = await readTranscript(linesOf(...records));
    expect(lines).toMatchObject({ format, skipped: [] });
    expect(shapeOf(await readTranscript(text))).toEqual(shapeOf(lines));
  });
});

describe('a list of records', () => {
  // Holds rule 11.4.
  it('is read past a broken record, which is reported by its line', async () => {
    const [first, second] = FILES.codex.map((one) => JSON.stringify(one));
    const { format, messages, skipped } = await readTranscript(`[\n${first},\n{"broken\n${second}\n]`);
    expect({ format, skipped }).toEqual({ format: 'codex', skipped: [3] });
    expect(messages).toHaveLength(2);
  });

  it('is read the same in chunks', async () => {
    const records = Array.from({ length: 50 }, (_, at) => claude(`u${at}`, `go ${at}`));
    const text = JSON.stringify(records, null, 1);
    const { format, messages, skipped } = await readTranscript(text, { wholeBytesMax: 500, partBytes: 300 });
    expect({ format, skipped, count: messages.length }).toEqual({
      format: 'claude-code',
      skipped: [],
      count: 50,
    });
  });
});

describe('a chat', () => {
  const words = { role: 'user', content: 'go' };
  const system = { role: 'system', content: 'Be brief.' };
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };

  // Holds rule 11.2.
  it.each([
    ['the form of later messages', [system, words, call], 'anthropic-messages'],
    ['a default', [system, words, { role: 'assistant', content: 'so' }], 'openai-messages'],
  ])('with a leading system message is detected by %s', async (_, messages, format) => {
    expect(await readTranscript(linesOf(...messages))).toMatchObject({ format, skipped: [] });
  });

  it('with an empty message is read, and the message is reported', async () => {
    const { format, messages, skipped } = await readTranscript(JSON.stringify([system, words, {}]));
    expect({ format, skipped, count: messages.length }).toEqual({
      format: 'openai-messages',
      skipped: [1],
      count: 2,
    });
  });

  // Holds rule 11.5.
  it('with an item of an unknown type is detected as Responses', async () => {
    const items = [
      said('go'),
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'a_kind_of_tomorrow', id: 'x' },
    ];
    const { format, messages } = await readTranscript(JSON.stringify(items));
    expect(format).toBe('openai-responses');
    expect(messages.at(-1)?.blocks).toMatchObject([{ type: 'tool_use' }, { type: 'a_kind_of_tomorrow' }]);
  });
});

describe('a compressed file', () => {
  // Holds rule 11.3.
  it.each([
    ['gzip', gzipSync('x')],
    ['zip', Buffer.from('504b030414000000', 'hex')],
    ['zstd', Buffer.from('28b52ffd00000000', 'hex')],
  ])('is rejected with the name of its compression: %s', async (name, bytes) => {
    const refusal = readTranscript(bytes, { name: 'a.jsonl' });
    await expect(refusal).rejects.toMatchObject({
      code: 'unknown-format',
      message: `a.jsonl is in no known format: it is packed with ${name}, unpack it first`,
    });
  });
});
