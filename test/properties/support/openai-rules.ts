import { isJsonObject, type JsonObject } from '@app/kernel';

/**
 * Returns the violations of OpenAI's rules for a body of `POST /v1/chat/completions`. Reads plain JSON, independently
 * of the engine's composition and validation.
 */
export const openAiFaults = (body: unknown): string[] => {
  if (!isJsonObject(body) || !Array.isArray(body.messages)) return ['no messages'];
  const messages = body.messages.filter(isJsonObject);
  const calls = messages.flatMap(callIdsOf);
  const faults: string[] = new Set(calls).size < calls.length ? ['a call id twice'] : [];
  let unanswered: string[] = [];
  for (const [at, message] of messages.entries()) {
    const where = `message ${at}`;
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!unanswered.includes(id)) faults.push(`${where}: answers ${id}, without a call right before it`);
      unanswered = unanswered.filter((other) => other !== id);
    } else {
      if (unanswered.length > 0) faults.push(`${where}: comes before [${unanswered}] are answered`);
      unanswered = callIdsOf(message);
    }
    faults.push(...faultsOf(message).map((fault) => `${where}: ${fault}`));
  }
  const last = messages.at(-1);
  if (unanswered.length > 0 && last?.role === 'tool') faults.push(`[${unanswered}] are half answered`);
  return faults;
};

const callsOf = (message: JsonObject): JsonObject[] =>
  Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
const callIdsOf = (message: JsonObject): string[] => callsOf(message).map(({ id }) => String(id));

const faultsOf = (message: JsonObject): string[] => {
  const { role, content } = message;
  const calls = callsOf(message);
  const faults = calls.flatMap((call) => callFaults(call));
  if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) faults.push(`role ${String(role)}`);
  if (calls.length > 0 && role !== 'assistant') faults.push('a call that is not the assistant’s');
  if (content === null || content === undefined) {
    if (calls.length === 0) faults.push('nothing in it');
  } else if (typeof content === 'string') {
    if (content.trim() === '') faults.push('a blank text');
  } else if (Array.isArray(content) && role === 'user') {
    if (content.length === 0) faults.push('nothing in it');
    faults.push(...content.filter(isJsonObject).flatMap(partFaults));
  } else faults.push('content that only a user message may have');
  return faults;
};

const callFaults = ({ id, type, function: called }: JsonObject): string[] => {
  if (type !== 'function' || !isJsonObject(called)) return ['a call of no function'];
  return [
    ...(typeof id === 'string' && id.length > 0 && id.length <= 40 ? [] : ['a call id of bad length']),
    ...(typeof called.name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(called.name)
      ? []
      : ['an odd tool name']),
    ...(typeof called.arguments === 'string' && isJsonObject(JSON.parse(called.arguments))
      ? []
      : ['odd arguments']),
  ];
};

const partFaults = (part: JsonObject): string[] => {
  if (part.type === 'text')
    return typeof part.text === 'string' && part.text.trim() !== '' ? [] : ['a blank part'];
  return part.type === 'image_url' && isJsonObject(part.image_url)
    ? []
    : [`a part of type ${String(part.type)}`];
};
