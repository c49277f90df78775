import { linesOf, readTranscript } from '@app/testing';

const user = (content: string) => ({ role: 'user', content });
const idOf = async (records: readonly object[], name = 'some.jsonl') =>
  (await readTranscript(linesOf(...records), { name })).sessions[0]?.id;

describe('a session without an id', () => {
  const start = [{ role: 'system', content: 'be brief' }, user('go')];

  it('gets the same id in every import of its file, even after the file has grown', async () => {
    const id = await idOf(start);
    expect(await idOf(start)).toBe(id);
    expect(await idOf([...start, { role: 'assistant', content: 'x' }, user('on')])).toBe(id);
  });

  it('gets another id for another file name or another first user message', async () => {
    const id = await idOf(start);
    expect(await idOf(start, 'other.jsonl')).not.toBe(id);
    expect(await idOf([...start.slice(0, 1), user('stop')])).not.toBe(id);
  });

  it.each([
    ['/var/a b/run 1.v2.json', 'run_1.v2'],
    ['C:\\logs\\Läufe.jsonl', 'L_ufe'],
    ['.hidden', 'hidden'],
    ['', 'session'],
  ])('is named after its file: %s', async (name, stem) =>
    expect(await idOf(start, name)).toMatch(new RegExp(`^${stem}-[0-9a-f]{8}$`)),
  );

  it('gets a valid id from a very long name', async () =>
    expect(await idOf(start, `${'long'.repeat(100)}.json`)).toMatch(/^long[\w-]{10,127}$/));
});

describe('ids', () => {
  const record = (uuid: string, sessionId: string) => ({
    type: 'user',
    uuid,
    parentUuid: null,
    sessionId,
    message: { role: 'user', content: 'x' },
  });

  it('are converted to valid ids', async () => {
    const { sessions, messages } = await readTranscript(linesOf(record('ä b', '../évil id')));
    expect(sessions[0]?.id).toBe('__vil_id');
    expect(messages[0]?.id).toBe('__b');
  });

  it('that are too long are cut and stay distinct', async () => {
    const long = 'x'.repeat(400);
    const { messages } = await readTranscript(linesOf(record(`${long}1`, 's'), record(`${long}2`, 's')));
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  });

  it('that collide get the first free suffix', async () => {
    const lines = ['a', 'a', 'a-2', 'a', 'a'].map((id, at) => ({ ...user(`x${at}`), id }));
    const { messages } = await readTranscript(linesOf(...lines));
    expect(messages.map(({ id }) => id)).toEqual(['a', 'a-2', 'a-2-2', 'a-3', 'a-4']);
  });

  it('that collide often are assigned in linear time', async () => {
    const lines = linesOf(
      ...Array.from({ length: 30_000 }, (_, at) => ({ role: 'user', content: `x${at}`, id: 'a' })),
    );
    const { messages } = await readTranscript(lines, { chunkBytes: 65_536 });
    expect(messages.at(-1)?.id).toBe('a-30000');
  });
});

describe('the model of a session', () => {
  it('is the model of its first answer', async () => {
    const answer = { role: 'assistant', content: 'x', model: 'm' };
    expect((await readTranscript(linesOf(user('a'), answer))).sessions[0]?.model).toBe('m');
  });

  it('is unknown if none of the first few dozen messages names it', async () => {
    const { sessions, messages } = await readTranscript(
      linesOf(...Array.from({ length: 80 }, () => user('a')), {
        role: 'assistant',
        content: 'x',
        model: 'm',
      }),
    );
    expect(sessions[0]).not.toHaveProperty('model');
    expect(messages).toHaveLength(81);
  });
});
