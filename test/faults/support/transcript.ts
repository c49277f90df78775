import { Random } from '../../support/random.js';

/** A turn has six messages: a question, two calls with their results, an answer. */
const CALLS = 2;
const WORDS = (
  'the parser reads tokens from a stream and folds them into a tree while errors are kept aside for later ' +
  'inspection by whoever asked'
).split(' ');

/** Returns a recorded session of `turns` turns in Anthropic's format; 25 turns compact five times in 8k tokens. */
export const transcript = (turns = 25): string => {
  const random = new Random(7);
  const text = (words: number): string => Array.from({ length: words }, () => random.of(WORDS)).join(' ');
  const messages = Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `Step ${turn}: ${text(60)}` },
    ...Array.from({ length: CALLS }, (__, call) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: text(40) },
          { type: 'tool_use', id: `call_${turn}_${call}`, name: 'read', input: { path: `src/${turn}.ts` } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `call_${turn}_${call}`, content: text(300) }],
      },
    ]).flat(),
    { role: 'assistant', content: text(80) },
  ]).flat();
  return JSON.stringify({ conversation: `session-${turns}`, model: 'claude-sonnet-4-5', messages });
};
