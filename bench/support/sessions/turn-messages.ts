import { type Message, textBlock } from '@app/domain';
import { MessageId } from '@app/kernel';
import { padded, prose } from './texts.js';

export const MODEL = 'claude-sonnet-4-5';

/** The four messages of a turn, small as most of an agent's messages. Lengths in characters. */
export const questionMessage = (turn: number): Message => ({
  id: idOf('question', turn),
  role: 'user',
  blocks: [textBlock(`${padded(turn)} ${prose(turn, 200)}`)],
});
export const callMessage = (turn: number): Message => ({
  id: idOf('call', turn),
  role: 'assistant',
  model: MODEL,
  blocks: [
    textBlock(prose(turn + 1, 100)),
    {
      type: 'tool_use',
      id: `toolu_${padded(turn)}`,
      name: 'read_file',
      input: { path: `src/module-${padded(turn)}.ts` },
    },
  ],
});
export const resultMessage = (turn: number): Message => ({
  id: idOf('result', turn),
  role: 'user',
  blocks: [{ type: 'tool_result', tool_use_id: `toolu_${padded(turn)}`, content: prose(turn + 2, 600) }],
});
export const answerMessage = (turn: number): Message => ({
  id: idOf('answer', turn),
  role: 'assistant',
  model: MODEL,
  blocks: [textBlock(`${padded(turn)} ${prose(turn + 3, 300)}`)],
});

const idOf = (kind: string, turn: number): MessageId => MessageId(`${kind}-${padded(turn)}`);
