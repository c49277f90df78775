import type { Block, FileOperations, Message } from '@app/domain';
import { NO_FILE_OPERATIONS, textBlock } from '@app/domain';
import { CompactionId, type JsonObject, MessageId, Tokens } from '@app/kernel';
import type { SummaryRequest, TokenCounter } from '@app/ports';
import { extractiveSummarizer } from '../src/index.js';

/** Four characters a token: tests say how large a text is by its length. */
export const quarterCounter: TokenCounter = {
  estimator: 'characters/4',
  count: (text) => Math.ceil(text.length / 4),
};

export const message = (id: string, role: Message['role'], ...blocks: readonly Block[]): Message => ({
  id: MessageId(id),
  role,
  blocks,
});
export const user = (id: string, text: string): Message => message(id, 'user', textBlock(text));
export const assistant = (id: string, text: string): Message => message(id, 'assistant', textBlock(text));

/** A call and its result, as two messages. */
export const called = (
  id: string,
  name: string,
  input: JsonObject,
  output: string,
  failed = false,
): readonly Message[] => [
  message(`${id}-call`, 'assistant', { type: 'tool_use', id, name, input }),
  message(`${id}-result`, 'user', {
    type: 'tool_result',
    tool_use_id: id,
    content: output,
    ...(failed ? { is_error: true } : {}),
  }),
];
export const ran = (id: string, command: string, output: string, failed = false): readonly Message[] =>
  called(id, 'bash', { command }, output, failed);

export type Given = Partial<Omit<SummaryRequest, 'sizeMax' | 'compactionId'>> & {
  readonly sizeMax?: number;
  readonly fileOperations?: FileOperations;
};
export const requestOf = (given: Given): SummaryRequest => ({
  messages: [],
  splitPrefix: 0,
  retained: [],
  fileOperations: NO_FILE_OPERATIONS,
  toolOutputs: 'summarized',
  ...given,
  compactionId: CompactionId('c1'),
  sizeMax: Tokens(given.sizeMax ?? 2_000),
});

export const summarize = async (given: Given, counter: TokenCounter = quarterCounter): Promise<string> => {
  const { text } = await extractiveSummarizer(counter).summarize(
    requestOf(given),
    new AbortController().signal,
  );
  return text;
};

/** Returns the lines under a heading; empty without the heading. */
export const sectionOf = (summary: string, title: string): readonly string[] => {
  const lines = summary.split('\n');
  const start = lines.indexOf(`## ${title}`);
  if (start < 0) return [];
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => line.startsWith('## '));
  return (end < 0 ? after : after.slice(0, end)).filter((line) => line !== '');
};
