import { type Block, frameSummary, type Message, type OpenSession, renderPin } from '@app/domain';

/** A provider's tokenizer: tokens per locally counted token by kind of text, and overhead per request. */
export type Tokenizer = {
  readonly prose: number;
  readonly code: number;
  readonly data: number;
  /** The maximum deviation of single texts from their kind. */
  readonly noise: number;
  /** Overhead of every request in tokens. */
  readonly overhead: number;
};

const CHARACTERS = 4;

/** Returns the provider's tokens of a text, deterministically. */
const tokensOf = (text: string, tokenizer: Tokenizer): number => {
  const ratio = text.startsWith('{"')
    ? tokenizer.data
    : text.includes(' = ')
      ? tokenizer.code
      : tokenizer.prose;
  return (
    (text.length / CHARACTERS) * ratio * (1 + tokenizer.noise * (((hashOf(text) % 2_001) - 1_000) / 1_000))
  );
};

const hashOf = (text: string): number => {
  let hash = 7;
  for (let at = 0; at < text.length; at += 13) hash = (hash * 31 + text.charCodeAt(at)) % 1_000_003;
  return hash;
};

const textIn = (block: Block): string => {
  if (block.type === 'text' && typeof block.text === 'string') return block.text;
  if (block.type === 'tool_use') return JSON.stringify(block.input);
  return block.type === 'tool_result' && typeof block.content === 'string' ? block.content : '';
};

export const tokensOfMessage = ({ blocks }: Pick<Message, 'blocks'>, tokenizer: Tokenizer): number =>
  blocks.reduce((sum, block) => sum + tokensOf(textIn(block), tokenizer), 5 * tokenizer.prose);

/** Returns the provider's bill for the next complete request of a session. */
export const promptOf = (session: OpenSession, tokenizer: Tokenizer): number => {
  const texts = [
    session.opened.systemPrompt,
    ...session.opened.tools.map((tool) => JSON.stringify(tool)),
    session.pivot?.summary == null ? '' : frameSummary(session.pivot.summary, session.pivot.compactionId),
    ...session.pins.map(renderPin),
  ];
  const beside = texts.reduce((sum, text) => sum + tokensOf(text, tokenizer), tokenizer.overhead);
  const messages = [...session.leadingSystem, ...session.entries].map(({ message }) => message);
  return Math.round(messages.reduce((sum, message) => sum + tokensOfMessage(message, tokenizer), beside));
};

const PROSE = 'the agent reads the report and writes down that nothing in it has changed since last week, ';
const CODE = 'const total = items.map((item) => item.price * item.count).reduce((a, b) => a + b, 0);\n';
const DATA = '"name":"widget","price":1290,"tags":["a","b"],"stock":{"berlin":4,"oslo":17},';

/** Returns a text of a kind, of about `tokens` counted tokens. */
export const textOfKind = (kind: 'prose' | 'code' | 'data', tokens: number, seed: number): string => {
  const piece = kind === 'prose' ? PROSE : kind === 'code' ? CODE : DATA;
  const body = piece.repeat(Math.ceil((tokens * CHARACTERS) / piece.length));
  const text = `${kind === 'data' ? '{' : ''}${body.slice(0, tokens * CHARACTERS)}`;
  return kind === 'data' ? text : `${text.slice(0, -8)} ${seed}`;
};
