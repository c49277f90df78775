import type { ToolUseBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import type { CallLedger } from '../../drafts/call-ledger.js';
import { isShallow } from '../../drafts/content-blocks.js';
import { objectIn, stringIn } from '../../drafts/members.js';

/** The only member of a call's `input` if its arguments are not a JSON object: the raw text. */
export const RAW_ARGUMENTS = '_raw';

/** Returns an element of `tool_calls` as a block; `undefined` without a tool name. */
export const blockOfCall = (call: Json, calls: CallLedger): ToolUseBlock | undefined => {
  if (!isJsonObject(call)) return undefined;
  const called = objectIn(call, 'function') ?? objectIn(call, 'custom');
  return called && blockOfFunctionCall(called, stringIn(call, 'id'), calls);
};

/** Returns a function call as a block; `undefined` without a tool name. */
export const blockOfFunctionCall = (
  called: JsonObject,
  ownId: string | undefined,
  calls: CallLedger,
): ToolUseBlock | undefined => {
  const name = stringIn(called, 'name');
  if (name === undefined) return undefined;
  // A custom tool takes free text, and calls it `input`.
  const input = inputFrom(called.arguments ?? called.input);
  return { type: 'tool_use', id: calls.open(name, ownId), name, input };
};

const inputFrom = (given: Json | undefined): JsonObject => {
  // Some models send an empty text for a call without parameters.
  if (given === undefined || given === null || given === '') return {};
  const parsed = typeof given === 'string' ? parseJson(given) : given;
  if (isJsonObject(parsed) && isShallow(parsed)) return parsed;
  return { [RAW_ARGUMENTS]: typeof given === 'string' ? given : JSON.stringify(given) };
};
