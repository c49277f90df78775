import { assistant, message, ran, sectionOf, summarize, user } from './sessions.js';

describe('the state', () => {
  const messages = [
    user('m1', 'Go on.'),
    assistant('m2', 'I will run the tests.'),
    ...ran('t1', 'npm test', '12 passed'),
    assistant('m3', 'All tests pass.'),
  ];

  it('contains the last assistant text and the last call', async () => {
    const state = sectionOf(await summarize({ messages }), 'State').join('\n');
    expect(state).toContain('Said by the assistant last:\n- All tests pass.');
    expect(state).toContain('Last tool calls:\n- bash: `npm test` → ok, 12 passed');
  });

  it('contains the end of the last text, and the last call without status lines of the harness', async () => {
    const steps = Array.from({ length: 40 }, (_, at) => `Step ${at} was done as it was planned before.`);
    const last = [...ran('t2', 'make', 'Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\nbuilt it')];
    const text = ['All is done.', 'What was done:', ...steps, 'Shall I push it?'].join('\n');
    const state = sectionOf(
      await summarize({ messages: [...last, assistant('m9', text)], sizeMax: 200 }),
      'State',
    );
    expect(state).toEqual(
      expect.arrayContaining(['- All is done.', '- Shall I push it?', '- bash: `make` → ok, built it']),
    );
  });

  it('describes the finished part of a split turn', async () =>
    expect(sectionOf(await summarize({ messages, splitPrefix: 4 }), 'State')[0]).toContain(
      'so far with the tools bash',
    ));

  it('excludes reasoning', async () => {
    const thinking = { type: 'thinking', thinking: 'Secretly I prefer the other way.' } as const;
    expect(await summarize({ messages: [...messages, message('m4', 'assistant', thinking)] })).not.toContain(
      'Secretly',
    );
  });
});
