import type { JsonObject } from '@app/kernel';
import { listOf, objectOf, objectsIn, textOr, without } from '../values/wire-values.js';

type Event = JsonObject & { readonly type: string };

/** Characters per delta: few, so that words and escapes are split. */
const DELTA_CHARS = 24;

/**
 * Returns a message as Anthropic streams it: its start without content, each block by start, deltas and stop, and its
 * end.
 * @param startUsage the usage in the start event, if it differs from the final one.
 */
export const framesOf = (message: JsonObject, startUsage: JsonObject): readonly string[] => {
  const { stop_reason, stop_sequence, stop_details, usage, context_management, input_transformations } =
    message;
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage: startUsage };
  const events: readonly Event[] = [
    { type: 'message_start', message: without(start, 'context_management', 'stop_details') },
    { type: 'ping' },
    ...objectsIn(message.content).flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) },
      usage: without(objectOf(usage), 'cache_creation', 'service_tier', 'inference_geo', 'speed'),
      ...(context_management !== undefined && { context_management }),
      ...(input_transformations !== undefined && { input_transformations }),
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
};

const blockEvents = (block: JsonObject, index: number): readonly Event[] => {
  const { start, deltas } = inDeltas(block);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
};

/** Returns a block's start, and its deltas. */
const inDeltas = (
  block: JsonObject,
): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } => {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '', ...(block.citations != null && { citations: [] }) },
        deltas: [
          ...pieces(textOr(block.text, '')).map((text) => ({ type: 'text_delta', text })),
          ...listOf(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
        ],
      };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...pieces(textOr(block.thinking, '')).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
    case 'server_tool_use':
      return {
        start: { ...block, input: {} },
        deltas: ['', ...pieces(JSON.stringify(block.input))].map((partial_json) => ({
          ...{ type: 'input_json_delta', partial_json },
        })),
      };
    case 'compaction':
      // A signed block is complete from its start; one of a threshold arrives in a single delta.
      if (block.signature !== undefined) return { start: block, deltas: [] };
      return {
        start: { ...block, content: null, encrypted_content: null },
        deltas: [
          { type: 'compaction_delta', content: block.content, encrypted_content: block.encrypted_content },
        ],
      };
    default:
      return { start: block, deltas: [] };
  }
};

const pieces = (text: string): readonly string[] => {
  const all: string[] = [];
  const characters = [...text]; // By code point: a delta contains no lone surrogate.
  for (let from = 0; from < characters.length; from += DELTA_CHARS)
    all.push(characters.slice(from, from + DELTA_CHARS).join(''));
  return all;
};
