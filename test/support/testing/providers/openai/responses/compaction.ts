import type { JsonObject } from '@app/kernel';
import type { Answer, Reply } from '../../replies/reply.js';
import { json, type Outgoing } from '../../server/outgoing.js';
import { failing } from '../failures/failing.js';
import type { Accepted, Writer } from '../writer.js';
import { encryptWith } from './encrypted.js';
import { CREATED_AT } from './response.js';
import { responsesUsage } from './usage.js';

/** A compaction item, readable only by the server that wrote it. */
export const compactionItem = (summary: string, writer: Writer): JsonObject => ({
  ...{ id: writer.nextId('cmp'), type: 'compaction' },
  encrypted_content: encryptWith(writer.secret)('compaction', summary),
});

/** Returns the model's summary of a conversation: the text of the scripted answer. */
export const hiddenSummary = ({ compaction, parts }: Answer, items: readonly JsonObject[]): string => {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return compaction ?? (text === '' ? `Summary of ${items.length} items.` : text);
};

/** `POST /v1/responses/compact`: returns all user messages, and one compaction item for everything. */
export const answeringCompact = (reply: Reply, accepted: Accepted, writer: Writer): Outgoing => {
  if (reply.kind === 'failure') return failing(reply, 'responses', accepted.model.inputMax);
  const { items } = accepted;
  const kept = items.filter(({ role }) => role === 'user').map((item) => asMessage(item, writer));
  const output = [...kept, compactionItem(hiddenSummary(reply, items), writer)];
  const usage = responsesUsage({ ...reply, parts: [] }, accepted, output, writer);
  const { disturbance } = reply;
  const body = {
    ...{ id: writer.nextId('resp'), object: 'response.compaction', created_at: CREATED_AT, output, usage },
  };
  return json(200, body, { ...(disturbance && { disturbance }), usage });
};

const asMessage = ({ id, content }: JsonObject, writer: Writer): JsonObject => ({
  ...{ id: id ?? writer.nextId('msg'), type: 'message', role: 'user', status: 'completed' },
  content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : content,
});
