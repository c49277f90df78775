// The members of LangChain that its adapter uses. LangChain is an optional peer and not installed in this repository: the
// adapter is compiled against the real package where that is tested.
declare module 'langchain' {
  import type { AIMessage, BaseMessage, SystemMessage } from '@langchain/core/messages';

  export type ModelRequest = {
    readonly model: unknown;
    readonly messages: BaseMessage[];
    readonly systemMessage: SystemMessage;
    readonly tools: readonly object[];
    readonly runtime: { readonly configurable?: { readonly thread_id?: string } };
  };
  export type AgentMiddleware = { readonly name: string };
  export const createMiddleware: (config: {
    name: string;
    wrapModelCall: (
      request: ModelRequest,
      handler: (request: ModelRequest) => AIMessage | Promise<AIMessage>,
    ) => Promise<AIMessage>;
  }) => AgentMiddleware;
}
declare module '@langchain/core/messages' {
  type Content = string | ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
  type Call = { readonly id?: string; readonly name: string; readonly args: Record<string, unknown> };
  export class BaseMessage {
    constructor(fields: { content: Content; tool_calls?: Call[]; tool_call_id?: string });
    readonly content: Content;
    readonly text: string;
    readonly type: string;
    readonly id?: string;
    readonly response_metadata: Readonly<Record<string, unknown>>;
  }
  export class HumanMessage extends BaseMessage {}
  export class SystemMessage extends BaseMessage {}
  export class ToolMessage extends BaseMessage {
    readonly tool_call_id: string;
    readonly status?: string;
  }
  export class AIMessage extends BaseMessage {
    readonly tool_calls?: Call[];
    readonly usage_metadata?: {
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
    };
  }
}
declare module '@langchain/core/utils/function_calling' {
  export const convertToOpenAITool: (tool: object) => {
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    };
  };
}
