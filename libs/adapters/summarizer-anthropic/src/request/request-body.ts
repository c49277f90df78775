import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';

/** What a call says; which model is to read it, and how long it may answer, is said elsewhere. */
export type RequestBody = Omit<MessageCreateParamsStreaming, 'model' | 'max_tokens' | 'stream'>;
