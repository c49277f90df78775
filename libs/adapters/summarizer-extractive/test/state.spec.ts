import { assistant, message, ran, sectionOf, summarize, user } from './sessions.js';

describe('the state', () => {
  const messages = [
    user('m1', 'Go on.'),
    assistant('m2', 'I will run the tests.'),
    ...ran('t1', 'npm test', '12 passed'),
    assistant('m3', 'All tests pass.'),
  ];

  it('is what was said and done last', async () => {
    const state = sectionOf(await summarize({ messages }), 'State').join('\n');
    expect(state).toContain('Said by the assistant last:\n- All tests pass.');
    expect(state).toContain('Last tool calls:\n- bash: `npm test` → ok, 12 passed');
  });

  it('has how the last text ends, and the last call without what a harness tells of its run', async () => {
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

  it('says what a split turn has done so far', async () =>
    expect(sectionOf(await summarize({ messages, splitPrefix: 4 }), 'State')[0]).toContain(
      'so far with the tools bash',
    ));

  it('does not quote what the model thought', async () => {
    const thinking = { type: 'thinking', thinking: 'Secretly I prefer the other way.' } as const;
    expect(await summarize({ messages: [...messages, message('m4', 'assistant', thinking)] })).not.toContain(
      'Secretly',
    );
  });
});
