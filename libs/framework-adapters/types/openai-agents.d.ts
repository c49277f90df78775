// The members of the OpenAI Agents SDK that its adapter uses. The SDK is an optional peer and not installed in this repository:
// the adapter is compiled against the real package where that is tested.
declare module '@openai/agents' {
  type Part = {
    readonly type: string;
    readonly text?: string;
    readonly refusal?: string;
    readonly image?: unknown;
    readonly file?: unknown;
    readonly filename?: string;
  };
  /** All kinds of items in one: the SDK tells them apart by `type`, which messages may lack. */
  export type AgentInputItem = {
    readonly type?: string;
    readonly role?: 'user' | 'assistant' | 'system';
    readonly content?: string | readonly Part[];
    readonly callId?: string;
    readonly name?: string;
    readonly arguments?: string;
    readonly output?: string | Part | readonly Part[];
    readonly status?: string;
    readonly providerData?: Readonly<Record<string, unknown>>;
  };
  export type Usage = {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly inputTokensDetails?:
      | Readonly<Record<string, number>>
      | readonly Readonly<Record<string, number>>[];
  };
  export type ModelRequest = {
    readonly systemInstructions?: string;
    readonly input: string | AgentInputItem[];
    readonly previousResponseId?: string;
    readonly conversationId?: string;
    readonly tools: readonly {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: object;
    }[];
  };
  export type ModelResponse = { readonly usage: Usage; readonly output: AgentInputItem[] };
  export type StreamEvent = { readonly type: string; readonly response?: ModelResponse };
  export interface Model {
    getResponse(request: ModelRequest): Promise<ModelResponse>;
    getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent>;
    getRetryAdvice?(problem: unknown): unknown;
  }
  export interface ModelProvider {
    getModel(name?: string): Promise<Model> | Model;
  }
  export interface Session {
    getSessionId(): Promise<string>;
  }
  export class MemorySession implements Session {
    constructor(options: { sessionId?: string; initialItems?: AgentInputItem[] });
    getSessionId(): Promise<string>;
    getItems(limit?: number): Promise<AgentInputItem[]>;
    addItems(items: AgentInputItem[]): Promise<void>;
    popItem(): Promise<AgentInputItem | undefined>;
    clearSession(): Promise<void>;
    applyHistoryMutations(change: object): Promise<void>;
    applyHistoryTransaction(change: object): Promise<void>;
  }
  export class OpenAIProvider implements ModelProvider {
    getModel(name?: string): Promise<Model>;
  }
}
