import { linesOf, readTranscript } from '@app/testing';
import { openTranscript } from '../open-transcript.js';

const SECRET = 'hunter2';
const user = (words: string) => ({ role: 'user', content: words });
const claude = (uuid: string) => ({
  type: 'user',
  uuid,
  parentUuid: null,
  sessionId: 's',
  message: { role: 'user', content: 'x' },
});
const pi = { type: 'session', id: 'p', timestamp: '2026-01-01T00:00:00Z', cwd: '/' };

const noTextThen = (text: string) => Buffer.concat([Uint8Array.of(0xff, 0x0a), Buffer.from(text)]);

describe('a file', () => {
  it.each(['', '\n \r\n', '\ufeff', '[]', '{\n"messages": []\n}'])('is rejected as empty: %j', (content) =>
    expect(readTranscript(content, { name: 'a.json' })).rejects.toMatchObject({
      code: 'nothing-to-import',
      message: expect.stringContaining('a.json'),
    }),
  );

  // Holds rule 11.3.
  it.each([
    ['words', `dear diary: ${SECRET}\n`],
    ['NUL', '\0\0\0'],
    ['bytes', Uint8Array.of(0xc3, 0x28, 0x0a, 0xff)],
    ['JSON of another kind', JSON.stringify({ name: SECRET, messages: 7 }, null, 2)],
    ['a list of another kind', JSON.stringify([1, { a: SECRET }])],
    [
      'lines of another agent',
      linesOf({ type: 'session_meta', payload: {} }, { type: 'event_msg', payload: {} }),
    ],
    ['messages beside unknown fields', JSON.stringify([user('x'), { a: SECRET }])],
  ])('is rejected if it is %s', async (_, content) => {
    const refusal = await readTranscript(content, { name: 'a.json' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({
      code: 'unknown-format',
      message: expect.stringMatching(/^a\.json .*: use one of claude-code, .*, openai-messages$/),
    });
    expect(String(refusal)).not.toContain(SECRET);
  });

  it('that is a truncated document is read up to the damage, and the rest is reported', async () => {
    const torn = `[\n${JSON.stringify(user(SECRET))},\n${JSON.stringify(user('b'))}\n`;
    expect(await readTranscript(torn)).toMatchObject({
      messages: [{ role: 'user' }, { role: 'user' }],
      skipped: [4],
    });
    const broken = `[\n ${JSON.stringify(user('a'))},\n {"role": "us\n ${JSON.stringify(user('c'))}\n]`;
    const { messages, skipped } = await readTranscript(broken);
    expect(messages).toHaveLength(2);
    expect(skipped).toEqual([3]);
  });

  it('that is a document without a complete element is rejected with the position of the damage, not its content', async () => {
    await expect(readTranscript(`{\n"messages": [\n{"role" "user"}]}`)).rejects.toMatchObject({
      message: expect.stringContaining('line 3, column 9'),
    });
    await expect(readTranscript(`{\n"a": "${SECRET}" ?`)).rejects.not.toMatchObject({
      message: expect.stringContaining(SECRET),
    });
  });

  it.each([
    ['a broken first line', `{"type":"user","mess\n${linesOf(claude('b'))}`, ['b'], [1]],
    ['two broken leading lines', `{"type":"user","mess\n[{"x\n${linesOf(claude('b'))}`, ['b'], [1, 2]],
    [
      'a broken line that ends like a line of a document',
      `{"a":[\n${linesOf(claude('b'), claude('c'))}`,
      ['b', 'c'],
      [1],
    ],
    ['leading binary data', noTextThen(linesOf(claude('b'))), ['b'], [1]],
    ['two records on one line', `${JSON.stringify(claude('a'))}${linesOf(claude('b'))}`, ['a', 'b'], []],
    ['a truncated last line', linesOf(claude('a'), claude('b')).slice(0, -3), ['a'], [2]],
  ])('of lines is read with %s', async (_, content, ids, skipped) => {
    const transcript = await readTranscript(content);
    expect(transcript).toMatchObject({ format: 'claude-code', skipped });
    expect(transcript.messages.map(({ id }) => id)).toEqual(ids);
  });

  it('of lines is detected after hundreds of foreign lines', async () => {
    const foreign = Array.from({ length: 900 }, () => ({ type: 'note' }));
    expect((await readTranscript(linesOf(...foreign, pi), { chunkBytes: 999 })).format).toBe('pi');
  });

  it('may be UTF-16', async () => {
    const bytes = Buffer.from(`\ufeff${linesOf(claude('a'))}`, 'utf16le');
    expect((await readTranscript(bytes)).messages).toHaveLength(1);
  });
});

describe('the byte stream of a transcript', () => {
  const record = (content: string) => new TextEncoder().encode(linesOf(user(content)));
  /** Bytes that tell how many chunks were asked for, and whether they were closed. */
  const watched = (chunks: readonly Uint8Array[]) => {
    const state = { taken: 0, isClosed: false };
    async function* bytes() {
      try {
        for (const chunk of chunks) {
          state.taken += 1;
          yield chunk;
        }
      } finally {
        state.isClosed = true;
      }
    }
    return { state, bytes: bytes() };
  };

  it('is closed if the format is unknown', async () => {
    const { state, bytes } = watched([new TextEncoder().encode('what?')]);
    await expect(openTranscript(bytes, { name: 'x' })).rejects.toMatchObject({ code: 'unknown-format' });
    expect(state.isClosed).toBe(true);
  });

  it('is closed if the consumer stops early', async () => {
    const { state, bytes } = watched(Array.from({ length: 100 }, (_, at) => record(String(at))));
    for await (const item of (await openTranscript(bytes, { name: 'x' })).items) {
      if (item.kind === 'message') break;
    }
    expect(state.isClosed).toBe(true);
  });

  it('passes on its own error', async () => {
    async function* failing() {
      yield new TextEncoder().encode(linesOf(pi));
      throw new Error('EIO');
    }
    const { items } = await openTranscript(failing(), { name: 'x' });
    await expect(items[Symbol.asyncIterator]().next()).rejects.toThrow('EIO');
  });

  it('is read at most one response ahead of the consumer', async () => {
    const turns = Array.from({ length: 500 }, (_, at) => [
      claude(`u${at}`),
      { ...claude(`a${at}`), type: 'assistant', message: { id: `r${at}`, role: 'assistant', content: 'y' } },
    ]).flat();
    const chunks = turns.map((turn) => new TextEncoder().encode(linesOf(turn)));
    const { state, bytes } = watched(chunks);
    let read = 0;
    let aheadMax = 0;
    for await (const item of (await openTranscript(bytes, { name: 'x' })).items) {
      if (item.kind !== 'message') continue;
      read += 1;
      aheadMax = Math.max(aheadMax, state.taken - read);
    }
    expect(read).toBe(1_000);
    // The session is buffered until its first answer, and a response until the record after it.
    expect(aheadMax).toBeLessThanOrEqual(3);
  });
});
