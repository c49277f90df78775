import { isReasoning, isText, type Message, type UserTexts, userTextsOf } from '@app/domain';
import { isJsonObject } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { type Call, callsOf } from './calls.js';

/** A text: `at` is the index of its message in the request. */
export type Utterance = { readonly id: string; readonly at: number; readonly text: string };

/** The covered messages, sorted by who speaks. Nothing is interpreted here. */
export type Conversation = {
  readonly user: readonly Utterance[];
  /** Text in user messages that is not the user's: referenced files, guides, skills. */
  readonly given: readonly Utterance[];
  /** Summaries by an agent in user messages. */
  readonly summaries: readonly Utterance[];
  readonly assistant: readonly Utterance[];
  /** Reasoning; empty if it is dropped. */
  readonly reasoning: readonly Utterance[];
  readonly calls: readonly Call[];
  /** Images and documents, by name. */
  readonly attachments: readonly Utterance[];
  /** Returns the approximate tokens after the message at an index. */
  readonly age: (at: number) => number;
};

const CHARACTERS_PER_TOKEN = 4;

export const conversationOf = ({
  messages,
  toolOutputs,
}: Pick<SummaryRequest, 'messages' | 'toolOutputs'>): Conversation => ({
  ...ofUser(messages),
  assistant: spoken(messages),
  reasoning: thought(messages),
  calls: callsOf(messages, toolOutputs),
  attachments: attached(messages),
  age: agesOf(messages),
});

const ofUser = (messages: readonly Message[]): Pick<Conversation, 'user' | 'given' | 'summaries'> => {
  const texts = messages.map(userTextsOf);
  const uttered = (whose: keyof UserTexts): readonly Utterance[] =>
    messages.flatMap(({ id }, at) => texts[at]?.[whose].map((text) => ({ id, at, text })) ?? []);
  return { user: uttered('spoken'), given: uttered('attached'), summaries: uttered('summaries') };
};

const spoken = (messages: readonly Message[]): readonly Utterance[] =>
  messages.flatMap(({ id, role, blocks }, at) =>
    role === 'assistant' ? blocks.filter(isText).map(({ text }) => ({ id, at, text })) : [],
  );

const thought = (messages: readonly Message[]): readonly Utterance[] =>
  messages.flatMap(({ id, blocks }, at) =>
    blocks
      .filter(isReasoning)
      .flatMap((block) => (block.type === 'thinking' ? [{ id, at, text: block.thinking }] : [])),
  );

const attached = (messages: readonly Message[]): readonly Utterance[] =>
  messages.flatMap(({ id, role, blocks }, at) =>
    blocks.flatMap((block) => {
      if (role !== 'user' || (block.type !== 'image' && block.type !== 'document')) return [];
      const { media_type: type } = block.source;
      const kind = typeof type === 'string' ? ` ${type}` : '';
      const name = typeof block.title === 'string' ? ` "${block.title}"` : '';
      return [{ id, at, text: `${block.type}${kind}${name}` }];
    }),
  );

const agesOf = (messages: readonly Message[]): ((at: number) => number) => {
  const after: number[] = [];
  let characters = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    after[at] = Math.floor(characters / CHARACTERS_PER_TOKEN);
    for (const block of messages[at]?.blocks ?? []) characters += lengthOf(block);
  }
  return (at) => after[at] ?? Math.floor(characters / CHARACTERS_PER_TOKEN);
};

/** Characters of text in a value, media left out. */
const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + lengthOf(item), 0);
  if (!isJsonObject(value) || value.type === 'image' || value.type === 'document') return 0;
  return Object.values(value).reduce((sum: number, item) => sum + lengthOf(item), 0);
};
