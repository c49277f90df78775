import { defined, isJsonObject, type JsonObject } from '@app/kernel';
import type { DraftMessage } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn } from '../drafts/members.js';
import { openAiUsage } from '../wires/openai-usage.js';
import { isChatMessage } from './is-chat-message.js';
import { timeOf } from './time-of.js';

/** A response: its message, and the metadata beside it. */
export type Answer = {
  readonly message: JsonObject;
  readonly told: Partial<DraftMessage>;
  /** Further answers to the same request: a conversation has gone on from one of them at most. */
  readonly otherCount: number;
  readonly isOpenAi: boolean;
};

/**
 * Returns the answer in a response of chat completions, or of Anthropic's messages, which is the message itself;
 * `undefined` for any other body.
 */
export const answerIn = (response: JsonObject): Answer | undefined => {
  if (response.role === 'assistant' && isChatMessage(response))
    return { message: response, told: {}, otherCount: 0, isOpenAi: false };
  const given = (listIn(response, 'choices') ?? []).flatMap((choice) => {
    const message = isJsonObject(choice) ? objectIn(choice, 'message') : undefined;
    return message && isChatMessage(message) ? [message] : [];
  });
  const [message, ...others] = given;
  if (message === undefined) return undefined;
  return { message, told: toldOf(response), otherCount: others.length, isOpenAi: true };
};

const toldOf = (response: JsonObject): Partial<DraftMessage> => {
  const [id, model] = [stringIn(response, 'id'), modelNameIn(response)];
  const usage = openAiUsage(objectIn(response, 'usage'), {
    input: 'prompt_tokens',
    output: 'completion_tokens',
  });
  const createdAt = timeOf(response);
  return {
    ...defined({ id, model }),
    ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
    ...(createdAt !== undefined && { createdAt }),
  };
};
