import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';

/** A request without model and answer limit. */
export type RequestBody = Omit<MessageCreateParamsStreaming, 'model' | 'max_tokens' | 'stream'>;
