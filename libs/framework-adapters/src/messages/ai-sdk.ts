import { type AiSdkMessage, fromAiSdk, toAiSdkPrompt } from '@palimpsest/client';
import { handOver, pair, toolNames } from '../core/mirrors.js';
import type { Context, Turn } from '../core/session-mirror.js';

type PromptTool = { name: string; description?: string | undefined; inputSchema?: unknown };

/** The prompt of a language model of the Vercel AI SDK. */
export class Prompt {
  private readonly system: readonly AiSdkMessage[];
  private readonly paired;
  readonly turn: Turn & { readonly model: string };

  constructor(messages: readonly AiSdkMessage[], tools: readonly PromptTool[], model: string) {
    const first = messages.findIndex(({ role }) => role !== 'system');
    this.system = first < 0 ? messages : messages.slice(0, first);
    this.paired = pair(messages.slice(this.system.length), (own) => fromAiSdk([own]));
    this.turn = {
      ...{ model, history: this.paired.map(({ message }) => message) },
      system: this.system.map(({ content }) => content).join('\n\n'),
      tools: tools.map(({ name, description = '', inputSchema = { type: 'object' } }) => ({
        ...{ name, description, input_schema: inputSchema },
      })),
    };
  }

  /** Returns the prompt with the context in place of the history. */
  with({ messages }: Context): AiSdkMessage[] {
    const names = toolNames(this.turn.history);
    const history = handOver(messages, this.paired, (message) => toAiSdkPrompt(message, names));
    return [...this.system, ...history];
  }
}
