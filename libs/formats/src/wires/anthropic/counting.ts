import { isJsonObject, type Json, ownMember, parseJson } from '@app/kernel';

/** Path of Anthropic's token counting below its base URL. */
export const COUNT_PATH = '/v1/messages/count_tokens';
/** Headers for calls without a client's headers. */
export const COUNT_HEADERS = { 'anthropic-version': '2023-06-01' };

/** Members of a request about its prompt; the count endpoint rejects those about the answer. */
const PROMPT_MEMBERS = [
  ...['model', 'system', 'messages', 'tools', 'tool_choice', 'thinking', 'cache_control'],
  ...['mcp_servers', 'context_management', 'output_config', 'output_format'],
];

/** Returns the body of a token count for a request of `POST /v1/messages`; `undefined` for any other request. */
export const countBody = (request: string): string | undefined => {
  const body = parseJson(request);
  if (!isJsonObject(body)) return undefined;
  const members = PROMPT_MEMBERS.flatMap((name): readonly [string, Json][] => {
    const value = ownMember(body, name);
    return value === undefined ? [] : [[name, value]];
  });
  return JSON.stringify(Object.fromEntries(members));
};

/** Returns the tokens of a count response; `undefined` without a number. */
export const countIn = (answer: string): number | undefined => {
  const body = parseJson(answer);
  const tokens = isJsonObject(body) ? body.input_tokens : undefined;
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
};
