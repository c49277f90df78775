import type { Message } from '@app/domain';
import { textBlock } from '@app/domain';
import { MessageId } from '@app/kernel';
import { padded } from '../sessions/texts.js';

const CHARACTERS_PER_TOKEN = 4;
const SUBJECTS = ['parser', 'session', 'budget', 'reader', 'cursor', 'ledger', 'signal', 'folder'] as const;
const VERBS = ['loads', 'rejects', 'counts', 'returns', 'renames', 'closes', 'merges'] as const;
/** Lines of a file in a tool's output. */
const LINES = 60;

const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length];
/** Names recur, as in most projects. */
const nameOf = (at: number): string =>
  `${pick(SUBJECTS, at)}${pick(['Of', 'For', 'With'], at >> 3)}Tenant${(at * at) % 997}`;
const pathOf = (step: number): string =>
  `libs/${pick(SUBJECTS, step)}/src/${pick(SUBJECTS, step >> 3)}-${step % 211}.ts`;

const fileLine = (step: number, line: number): string => {
  const at = step * 7 + line;
  return line % 3 === 0
    ? `  // ${nameOf(at)} ${pick(VERBS, at)} what ${pick(SUBJECTS, line)} has left behind, see #${at % 5_000}`
    : `  const value${line} = await ${nameOf(at)}(options.${pick(SUBJECTS, at >> 2)}, ${line * 37});`;
};

const stepOf = (step: number): readonly Message[] => {
  const id = (part: string): MessageId => MessageId(`${part}${padded(step)}`);
  const call = `call${padded(step)}`;
  const file = Array.from({ length: LINES }, (_, line) => fileLine(step, line)).join('\n');
  const asked =
    step % 12 === 0
      ? [
          {
            id: id('u'),
            role: 'user' as const,
            blocks: [
              textBlock(
                `Now make ${nameOf(step)} reject an empty ${pick(SUBJECTS, step)}. Never touch ${pathOf(step + 5)}.`,
              ),
            ],
          },
        ]
      : [];
  return [
    ...asked,
    {
      id: id('a'),
      role: 'assistant',
      blocks: [
        textBlock(`I look at how ${nameOf(step)} ${pick(VERBS, step)} the ${pick(SUBJECTS, step)} first.`),
        { type: 'tool_use', id: call, name: 'read', input: { path: pathOf(step) } },
      ],
    },
    { id: id('r'), role: 'user', blocks: [{ type: 'tool_result', tool_use_id: call, content: file }] },
  ];
};

/** A coding agent's work of about `tokens` tokens: requests, files read, and comments on them. Deterministic. */
export const workingSession = (tokens: number): readonly Message[] => {
  const messages: Message[] = [];
  let characters = 0;
  for (let step = 0; characters < tokens * CHARACTERS_PER_TOKEN; step += 1)
    for (const message of stepOf(step)) {
      messages.push(message);
      characters += JSON.stringify(message.blocks).length;
    }
  return messages;
};
