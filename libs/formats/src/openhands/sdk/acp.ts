import type { Block } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText } from '../../drafts/content-blocks.js';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';
import type { Found } from '../found.js';
import { UNUSABLE } from '../found.js';
import { partsOf } from './observed.js';
import { originOf } from './origin.js';

/**
 * A call that another agent behind the conversation has made (by the Agent Client Protocol). Its events come one after the
 * other, each with the whole state: the last has the result.
 */
export const ofAcpCall = (event: JsonObject): Found => {
  const id = stringIn(event, 'tool_call_id');
  if (id === undefined) return UNUSABLE;
  const title = stringIn(event, 'title');
  const input = objectIn(event, 'raw_input') ?? {};
  const isNamed = Object.keys(input).length > 0 || title === undefined;
  const call: Block = {
    type: 'tool_use',
    id,
    name: stringIn(event, 'tool_kind') ?? 'tool',
    input: isNamed ? input : { title },
  };
  const failed = event.is_error === true || event.status === 'failed';
  const isDone = failed || event.status === 'completed';
  const content = outputOf(event);
  const result: Block = { type: 'tool_result', tool_use_id: id, content, ...(failed && { is_error: true }) };
  const origin = originOf(event);
  return {
    kind: 'outside-call',
    callId: id,
    call: { role: 'assistant', blocks: [call], ...origin },
    ...(isDone && { result: { role: 'user', blocks: [result], ...withoutId(origin) } }),
  };
};

const withoutId = ({ createdAt }: ReturnType<typeof originOf>) =>
  createdAt === undefined ? {} : { createdAt };

/** Returns the displayed result; without one, the tool's raw output. */
const outputOf = (event: JsonObject): string | readonly Block[] => {
  const shown = (listIn(event, 'content') ?? []).flatMap(shownIn);
  const { raw_output: raw } = event;
  const given = raw === undefined || raw === null || raw === '' ? [] : (partsOf(raw) ?? [asText(raw)]);
  const blocks = shown.length > 0 ? shown : given;
  const [only, ...more] = blocks;
  if (only === undefined) return '';
  return only.type === 'text' && more.length === 0 ? String(only.text) : blocks;
};

/** Returns the block of a content; file changes and terminals stay unchanged. */
const shownIn = (part: Json): readonly Block[] => {
  if (!isJsonObject(part)) return [asText(part)];
  const inner = part.type === 'content' ? objectIn(part, 'content') : part;
  const text = stringIn(inner ?? {}, 'text');
  return text === undefined ? [asText(part)] : [{ type: 'text', text }];
};
