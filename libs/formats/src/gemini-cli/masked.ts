import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../drafts/members.js';

/** Mark of an output that Gemini CLI has moved to a file. */
const MARK = '<tool_output_masked';

/** Returns the calls whose outputs are masked in a rewritten history. */
export const maskedCalls = (messages: readonly Json[]): readonly string[] =>
  messages.filter(isJsonObject).flatMap((message) => {
    const ofCalls = (listIn(message, 'toolCalls') ?? [])
      .filter(isJsonObject)
      .flatMap((call) => partsOf(call.result).flatMap((part) => maskedIn(part, stringIn(call, 'id'))));
    return [...ofCalls, ...partsOf(message.content).flatMap((part) => maskedIn(part, undefined))];
  });

const maskedIn = (part: JsonObject, callId: string | undefined): readonly string[] => {
  const answer = objectIn(part, 'functionResponse');
  const output = stringIn(objectIn(answer ?? {}, 'response') ?? {}, 'output');
  // A result may stand beside results of other calls.
  const id = stringIn(answer ?? {}, 'id') ?? callId;
  return output?.startsWith(MARK) && id !== undefined ? [id] : [];
};

const partsOf = (content: Json | undefined): readonly JsonObject[] =>
  Array.isArray(content) ? content.filter((part): part is JsonObject => isJsonObject(part)) : [];
