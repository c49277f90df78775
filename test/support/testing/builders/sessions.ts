import type { Message, SessionCommand } from '@app/domain';
import { append, type Opening, open } from './commands.js';
import { sized } from './messages.js';

/** `count` turns of a question `u<n>` and an answer `a<n>` of `tokens` each, from turn `from` on. */
export const turns = (count: number, tokens = 150, from = 1): Message[] =>
  Array.from({ length: count }, (_, at) => [
    sized(`u${from + at}`, 'user', tokens),
    sized(`a${from + at}`, 'assistant', tokens),
  ]).flat();

/** A session of five turns, 1,510 tokens, that retains one turn and can be compacted at once. */
export const compactable = (opening: Opening = {}): SessionCommand[] => [
  open({ ...opening, profile: { keepRecentTurns: 1, ...opening.profile } }),
  append(...turns(5)),
];
