import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import { RAW_ARGUMENTS } from './openai-chat/convert-call.js';

/** The arguments of a call, which OpenAI has as a text, as a tool's input. */
export const inputOf = (text: Json | undefined): JsonObject => {
  if (typeof text !== 'string' || text === '') return {};
  const value = parseJson(text);
  return isJsonObject(value) && isShallow(value) ? value : { [RAW_ARGUMENTS]: text };
};

export const argumentsOf = (input: JsonObject): string => {
  const raw = input[RAW_ARGUMENTS];
  return typeof raw === 'string' && Object.keys(input).length === 1 ? raw : JSON.stringify(input);
};
