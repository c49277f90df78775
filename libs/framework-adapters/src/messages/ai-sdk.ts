import { type AiSdkMessage, fromAiSdk, toAiSdkPrompt } from '@palimpsest/client';
import { Exchange } from '../core/exchange.js';
import { toolOf } from '../core/parts.js';
import type { SessionMirror } from '../core/session-mirror.js';

type PromptTool = { name: string; description?: string | undefined; inputSchema?: unknown };
const FORM = { read: (own: AiSdkMessage) => fromAiSdk([own]), write: toAiSdkPrompt };

/** A request with the prompt of a language model of the Vercel AI SDK, whose system messages stay. */
export class Prompt extends Exchange<AiSdkMessage> {
  private readonly system: readonly AiSdkMessage[];

  constructor(
    mirror: SessionMirror,
    messages: readonly AiSdkMessage[],
    tools: readonly PromptTool[],
    readonly model: string,
  ) {
    const first = messages.findIndex(({ role }) => role !== 'system');
    const system = first < 0 ? messages : messages.slice(0, first);
    super(mirror, messages.slice(system.length), FORM, {
      model,
      system: system.map(({ content }) => content).join('\n\n'),
      tools: tools.map(({ name, description, inputSchema }) => toolOf(name, description, inputSchema)),
    });
    this.system = system;
  }

  override async prepare(): Promise<AiSdkMessage[] | undefined> {
    const messages = await super.prepare();
    return messages && [...this.system, ...messages];
  }
}
