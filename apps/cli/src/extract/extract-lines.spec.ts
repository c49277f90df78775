import { extractLines } from './extract-lines.js';

const answers = async (...lines: readonly string[]) => {
  const found: unknown[] = [];
  for await (const answer of extractLines(bytes(lines.join('\n')))) found.push(answer);
  return found;
};
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const question = (given: object): string =>
  JSON.stringify({ id: 'q', budget: 100, messages: [{ role: 'user', content: 'Fix src/a.ts.' }], ...given });

describe('questions for a summary, line by line', () => {
  it('are answered under their ids, in their order', async () => {
    const found = await answers(question({ id: 7 }), '', question({ id: { any: 'JSON' } }));
    const summary = '## Goal\n> "Fix src/a.ts." [m1]\n\n## State\n- Nothing was said or done in this part.';
    expect(found).toEqual([
      { line: 1, answer: JSON.stringify({ id: 7, summary }) },
      { line: 3, answer: JSON.stringify({ id: { any: 'JSON' }, summary }) },
    ]);
  });

  it.each([
    ['nope', 'it is no JSON'],
    ['[1]', 'it is no object'],
    [JSON.stringify({ budget: 100, messages: [] }), 'it has no id'],
    [`{"id":${'['.repeat(9_999)}${']'.repeat(9_999)}}`, 'its id is nested too deep'],
    [question({ budget: 31 }), 'its budget is no whole number of at least 32 tokens'],
    [question({ messages: 'x' }), 'it has no list of messages'],
    [
      question({ messages: [{ role: 'tool', content: 'x' }] }),
      'the role of message 1 is none of user, assistant and system',
    ],
    [question({ messages: [{ role: 'user' }] }), 'message 1 has no content: a text, or a list of blocks'],
    [
      question({ messages: [{ role: 'user', content: [{}] }] }),
      'block 1 of message 1 lacks a required member of its type',
    ],
    [question({ previousSummary: 1 }), 'its previousSummary is no text'],
  ])('that are none are refused, and the next is answered: %.80s', async (line, refused) => {
    const found = await answers(line, question({}));
    expect(found).toEqual([
      { line: 1, refused },
      expect.objectContaining({ line: 2, answer: expect.any(String) }),
    ]);
  });

  it('may have calls with a bare text for an input', async () => {
    const content = [{ type: 'tool_use', id: 't1', name: 'patch', input: '*** Update File: src/b.ts' }];
    expect(JSON.stringify(await answers(question({ messages: [{ role: 'assistant', content }] })))).toContain(
      'src/b.ts',
    );
  });

  it('fold an earlier summary in', async () => {
    const previousSummary = '## Goal\n> "Build the importer." [u1]\n\n## State\n- It is built.';
    expect(JSON.stringify(await answers(question({ previousSummary })))).toContain('[u1]');
  });
});
