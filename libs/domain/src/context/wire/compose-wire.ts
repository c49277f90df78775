import {
  type Block,
  isReasoning,
  isToolResult,
  isToolUse,
  type Message,
  pairToolCalls,
  type ToolResultBlock,
  textBlock,
  textOf,
  toolCallsOf,
  toolResultsOf,
} from '../../message/index.js';
import { isSameCall } from '../../session/state.js';
import type { Manifest } from '../manifest.js';
import { type CallIds, nameCalls, toolName } from './call-names.js';
import { cleanResult, isBlank, quoteStray, syntheticResult } from './clean-blocks.js';
import { usedTools } from './declare-tools.js';
import { joinNeighbours } from './join-neighbours.js';
import { reasoningOmission } from './reasoning.js';
import type { WireFormat, WireMessage, WireNote, WireRequest } from './wire.js';

/** What a context that begins with the assistant is given to begin with: providers want the user first. */
const OPENING_TEXT = '[The conversation begins with a message of the assistant.]';

/**
 * The request that a manifest becomes for a provider, in the order that all of them want: every call followed
 * at once by its results, no empty block, no id twice, reasoning only as its provider wrote it. A pure function:
 * the same manifest gives the same bytes.
 */
export const composeWire = (manifest: Manifest, format: WireFormat): WireRequest => {
  const pairing = pairToolCalls(manifest.messages, (message, callId) =>
    manifest.abandonedCalls.some((call) => isSameCall(call, { messageId: message.id, callId })),
  );
  const ids = nameCalls(pairing, format);
  const notes: WireNote[] = [...ids.notes];
  const context: Context = { manifest, format, ids, notes, pairing, resultsOf: resultsByMessage(pairing) };
  const spoken = manifest.messages.flatMap((message, at) => wireOf(message, at, context));
  const record: WireMessage[] = manifest.record
    ? [{ role: 'user', results: [], blocks: [textBlock(manifest.record)] }]
    : [];
  const messages = joinNeighbours([...record, ...spoken], manifest.messages, notes);
  const opening: WireMessage[] =
    messages.find(({ role }) => role !== 'system')?.role === 'assistant'
      ? [{ role: 'user', results: [], blocks: [textBlock(OPENING_TEXT)] }]
      : [];
  const all = [...opening, ...messages];
  return { messages: all, tools: usedTools(manifest.tools, all), notes };
};

type Context = {
  readonly manifest: Manifest;
  readonly format: WireFormat;
  readonly ids: CallIds;
  readonly notes: WireNote[];
  readonly pairing: ReturnType<typeof pairToolCalls>;
  /** The blocks of each message that answer a call, by the message's place. */
  readonly resultsOf: ReadonlyMap<number, ReadonlySet<number>>;
};

const resultsByMessage = ({ calls }: ReturnType<typeof pairToolCalls>): Map<number, Set<number>> => {
  const places = new Map<number, Set<number>>();
  for (const { result } of calls) {
    if (result) places.set(result.message, (places.get(result.message) ?? new Set()).add(result.block));
  }
  return places;
};

const wireOf = (message: Message, at: number, context: Context): WireMessage[] => {
  switch (message.role) {
    case 'assistant':
      return [assistantOf(message, at, context), ...resultsAfter(message, at, context)];
    case 'user':
      return [{ role: 'user', results: [], blocks: userBlocks(message, at, context) }];
    case 'system':
      return systemOf(message, context);
  }
};

const assistantOf = (
  message: Message,
  at: number,
  { manifest, format, ids, notes }: Context,
): WireMessage => {
  let call = 0;
  const blocks = message.blocks.flatMap((block): Block[] => {
    if (isToolUse(block)) {
      const id = ids.idOf(at, call);
      call += 1;
      const name = toolName(block.name, format);
      return [block.id === id && block.name === name ? block : { ...block, id, name }];
    }
    if (isReasoning(block)) {
      const because = reasoningOmission(block, message, manifest, format);
      if (because) notes.push({ did: 'left-out-reasoning', messageId: message.id, because });
      return because ? [] : [block];
    }
    if (block.type === 'text') return isBlank(block.text) ? [] : [block];
    return isAssistants(block, format) ? [block] : [stray(block, message, notes)];
  });
  return { role: 'assistant', blocks };
};

/** Blocks of a provider's own tools stand in its assistant messages; other providers know nothing of them. */
const isAssistants = (block: Block, format: WireFormat): boolean =>
  format === 'anthropic' &&
  block.type !== 'image' &&
  block.type !== 'document' &&
  block.type !== 'tool_result';

/** The results of an assistant message's calls, in the order of the calls; where some are missing, in their place one that says so. */
const resultsAfter = (message: Message, at: number, context: Context): WireMessage[] => {
  const { manifest, ids, notes, pairing } = context;
  if (toolCallsOf(message).length === 0) return [];
  const calls = pairing.calls.filter(({ call }) => call.message === at);
  const isLastStep = manifest.messages.slice(at + 1).every((later) => later.blocks.length === 0);
  if (isLastStep && calls.every(({ result }) => !result)) return []; // Its results are what the session waits for.
  const results = calls.map(({ id: callId, call, result }): ToolResultBlock => {
    const id = ids.idOf(call.message, call.block);
    const block = result && toolResultsOf(manifest.messages[result.message] ?? message)[result.block];
    if (block) {
      const reference = { messageId: message.id, callId };
      return cleanResult(
        block,
        id,
        manifest.droppedOutputs.some((one) => isSameCall(one, reference)),
      );
    }
    notes.push({ did: 'answered-open-call', callId });
    return syntheticResult(id);
  });
  return [{ role: 'user', results, blocks: [] }];
};

const userBlocks = (message: Message, at: number, { format, notes, resultsOf }: Context): Block[] => {
  let result = -1;
  return message.blocks.flatMap((block): Block[] => {
    if (isToolResult(block)) {
      result += 1;
      return resultsOf.get(at)?.has(result) ? [] : [stray(block, message, notes)];
    }
    if (block.type === 'text') return isBlank(block.text) ? [] : [block];
    if (block.type === 'image' || block.type === 'document') return [block];
    if (isReasoning(block)) {
      notes.push({ did: 'left-out-reasoning', messageId: message.id, because: 'unsigned' });
      return [];
    }
    return isToolUse(block) || format !== 'anthropic' ? [stray(block, message, notes)] : [block];
  });
};

const stray = (block: Block, message: Message, notes: WireNote[]): Block => {
  notes.push({ did: 'quoted-stray-block', messageId: message.id, type: block.type });
  return quoteStray(block);
};

/** Only some models take a system message in mid-conversation: for Anthropic it goes out in the user's place, marked. */
const systemOf = (message: Message, { format }: Context): WireMessage[] => {
  const text = textOf(message);
  if (isBlank(text)) return [];
  if (format === 'openai-chat') return [{ role: 'system', text }];
  return [{ role: 'user', results: [], blocks: [textBlock(`<system-message>\n${text}\n</system-message>`)] }];
};
