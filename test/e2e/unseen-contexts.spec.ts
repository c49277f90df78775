import { compose, historyIn, type Manifest, type Message } from '@app/domain';
import { openTranscript, type TranscriptItem } from '@app/formats';
import { MessageId, Tokens } from '@app/kernel';
import fc from 'fast-check';
import { contextFaults, FORMATS } from '../support/context-faults.js';
import { conversations, type Said } from '../support/unseen/conversations.js';
import { WRITERS } from '../support/unseen/write.js';

/** Guarantee: providers accept the context composed of any transcript, or of its beginning. */
describe('context of an unseen transcript', () => {
  it.each(Object.keys(WRITERS))('is valid for its provider: %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(conversations(1, 12), fc.nat(), async (said, part) => {
        const messages = await messagesIn(kind, said);
        fc.pre(messages.length > 0);
        const beginning = messages.slice(0, 1 + (part % messages.length));
        for (const format of FORMATS) {
          const { request } = compose(manifestOf(beginning), format);
          if (historyIn(request).length === 0) continue;
          expect(contextFaults(format, request, reasoningOf(beginning))).toEqual([]);
        }
      }),
      { numRuns: 300, seed: 20261121 },
    );
  });
});

const messagesIn = async (kind: string, said: readonly Said[]): Promise<readonly Message[]> => {
  const text = WRITERS[kind]?.(said, 'some') ?? '';
  const messages: Message[] = [];
  try {
    const { items } = await openTranscript(bytesOf(text), { name: 'some.jsonl' });
    for await (const item of items) if (item.kind === 'message') messages.push(messageOf(item));
  } catch {
    return []; // Too short to detect its format.
  }
  return messages;
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const messageOf = ({ message }: Extract<TranscriptItem, { kind: 'message' }>): Message => ({
  id: MessageId(message.id),
  role: message.role,
  blocks: message.blocks,
  ...(message.model !== undefined && { model: message.model }),
});

const manifestOf = (messages: readonly Message[]): Manifest => ({
  model: 'claude-sonnet-4-5',
  system: [],
  tools: [],
  maxOutput: Tokens(1_000),
  pinned: undefined,
  record: undefined,
  messages,
  edits: [],
  droppedOutputs: [],
  wayBack: 'route',
  gap: undefined,
  unreplayableReasoning: [],
  isAltered: false,
  contributions: [],
  abandonedCalls: [],
});

/** Excludes reasoning items beside a chat's blocks, since a context in blocks has the blocks only. */
const reasoningOf = (messages: readonly Message[]): readonly string[] =>
  messages
    .flatMap(({ blocks }) => blocks)
    .filter(({ type }) => /thinking$/.test(type))
    .map(({ openai: _, ...block }) => JSON.stringify(block));
