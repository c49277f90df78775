import type { Message } from '../generated/types.js';
import { type AiSdkMessage, fromAiSdk, toAiSdk } from './ai-sdk.js';
import type { Answered } from './message.js';
import { argumentsIn } from './openai.js';
import { usageFrom } from './usage.js';

type Metadata = { readonly [provider: string]: { readonly [name: string]: unknown } };
type Counts = {
  readonly total: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
};
/** A part of an answer: text, reasoning, a call, the result of a call that the provider has run, a file or a source. */
export type AiSdkAnswerPart = {
  readonly type: string;
  readonly text?: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly providerMetadata?: Metadata | undefined;
};
/** Structure of a `LanguageModelV3GenerateResult` (AI SDK 6) and `LanguageModelV4GenerateResult` (7). */
export type AiSdkAnswer = {
  readonly content: readonly AiSdkAnswerPart[];
  readonly finishReason: { readonly unified: string };
  readonly usage: { readonly inputTokens: Counts; readonly outputTokens: Pick<Counts, 'total'> };
};

/** Converts an answer of a language model of the Vercel AI SDK with its usage, and the stop reason if it ends the turn. */
export const answerFromAiSdk = ({ content, finishReason, usage }: AiSdkAnswer, model: string): Answered => {
  const parts = content.flatMap(({ input, result, providerMetadata, ...part }) =>
    part.type === 'source'
      ? []
      : {
          ...part,
          ...(part.type === 'tool-call' && { input: typeof input === 'string' ? argumentsIn(input) : input }),
          ...(part.type === 'tool-result' && { output: { type: 'json', value: result } }),
          ...(providerMetadata && { providerOptions: providerMetadata }),
        },
  );
  const { total: input = 0, cacheRead, cacheWrite } = usage.inputTokens;
  return {
    messages: fromAiSdk([{ role: 'assistant', content: parts }]).map((message) => ({ ...message, model })),
    usage: usageFrom({ input, cacheRead, cacheWrite, output: usage.outputTokens.total ?? 0 }),
    ...(finishReason.unified !== 'tool-calls' && { stopReason: finishReason.unified }),
  };
};

/**
 * Converts a message of the API for a language model of the Vercel AI SDK, where images are files.
 *
 * @param tools the names of the tools by the ID of their call, for results whose call is in another message.
 */
export const toAiSdkPrompt = (
  message: Message,
  tools: ReadonlyMap<string, string> = new Map(),
): AiSdkMessage[] =>
  toAiSdk([message]).map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map((part) => promptPart(part, tools)),
  }));

type Part = Exclude<ReturnType<typeof toAiSdk>[number]['content'], string>[number];
const promptPart = (part: Part, tools: ReadonlyMap<string, string>) => {
  if (part.type === 'image')
    return { type: 'file', data: part.image, mediaType: part.mediaType ?? 'image/*' };
  if (part.type !== 'tool-result') return part;
  return { ...part, toolName: part.toolName || (tools.get(part.toolCallId) ?? '') };
};

/** Structure of a `LanguageModelV3StreamPart` or `LanguageModelV4StreamPart`. */
export type AiSdkChunk = AiSdkAnswerPart & {
  readonly id?: string;
  readonly delta?: string;
  readonly usage?: AiSdkAnswer['usage'];
  readonly finishReason?: AiSdkAnswer['finishReason'];
};

/** Collects the chunks of a streamed answer. */
export class AiSdkAnswerStream {
  private readonly parts = new Map<string, AiSdkAnswerPart>();
  private end: Pick<AiSdkAnswer, 'usage' | 'finishReason'> | undefined;

  /** The answer; `undefined` until the stream has finished. */
  get answer(): AiSdkAnswer | undefined {
    return this.end && { ...this.end, content: [...this.parts.values()] };
  }

  add(chunk: AiSdkChunk): void {
    const { type, usage, finishReason } = chunk;
    if (type === 'finish' && usage && finishReason) this.end = { usage, finishReason };
    else if (/^(?:text|reasoning)-/.test(type)) this.addText(chunk);
    else if (/^(?:tool-call|tool-result|file)$/.test(type)) this.parts.set(`${this.parts.size}`, chunk);
  }

  private addText({ type: chunkType, id, delta = '', providerMetadata }: AiSdkChunk): void {
    const type = chunkType.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${id}`;
    const before = this.parts.get(key);
    const metadata = providerMetadata ?? before?.providerMetadata;
    const text = `${before?.text ?? ''}${delta}`;
    this.parts.set(key, { type, text, ...(metadata && { providerMetadata: metadata }) });
  }
}
