import type { JsonObject } from '@app/kernel';
import { defused } from '../../message/defused.js';
import {
  type Block,
  type BlockPlace,
  isReasoning,
  isToolResult,
  isToolUse,
  type Message,
  type PairedCall,
  type Pairing,
  pairToolCalls,
  type ToolResultBlock,
  textBlock,
  textOf,
  toolResultsOf,
} from '../../message/index.js';
import type { WireFormat, WireMessage, WireNote, WireRequest, WireUser } from '../../message/wire.js';
import type { CallReference } from '../../session/facts.js';
import { isCallAmong } from '../../session/state.js';
import type { Manifest } from '../manifest.js';
import { type CallIds, nameCalls, toolName } from './call-names.js';
import { cleanResult, isBlank, quoteStray, syntheticResult } from './clean-blocks.js';
import { answersBeforeLastTool, usedTools } from './declare-tools.js';
import { joinNeighbours } from './join-neighbours.js';
import { dependsOnPrefix, reasoningOmission } from './reasoning.js';
import { renamed } from './renamed.js';

/**
 * The first user message of a context that begins with the assistant, because providers require a user message first.
 */
const SILENCE_TEXT = '[Nothing has been said yet.]';
const OPENING_TEXT = '[The conversation begins with a message of the assistant.]';

/**
 * The request that a manifest becomes for a provider, in the order that all of them want: every call followed
 * at once by its results, no empty block, no id twice, reasoning only as its provider wrote it. A pure function:
 * the same manifest gives the same bytes.
 */
export const composeWire = (given: Manifest, format: WireFormat): WireRequest => {
  const manifest = withBoundToTools(given, format);
  const { messages, notes, tools } = composePart(manifest, format);
  return { parts: [messages], tools: usedTools(manifest.tools, tools), notes: inOrder([notes]) };
};

/** Tools precede every message: reasoning created under other tools is bound to those. */
const withBoundToTools = (manifest: Manifest, format: WireFormat): Manifest => {
  if (!dependsOnPrefix(manifest, format)) return manifest;
  const { tools, messages, unreplayableReasoning } = manifest;
  const answers = answersBeforeLastTool(tools, messages, format);
  return answers.length === 0
    ? manifest
    : { ...manifest, unreplayableReasoning: [...unreplayableReasoning, ...answers] };
};

/** A number of successive messages of a manifest, in the form that providers accept. */
export type ComposedPart = {
  readonly messages: readonly WireMessage[];
  readonly notes: PartNotes;
  /** The IDs of its calls, recorded ones and others, and of results of other calls. */
  readonly ids: readonly string[];
  /** Names of the called tools. */
  readonly tools: ReadonlySet<string>;
};

/** Notes on the IDs of calls, on messages, and on messages that ended with reasoning. */
export type PartNotes = {
  readonly ids: readonly WireNote[];
  readonly messages: readonly WireNote[];
  readonly ends: readonly WireNote[];
};

/** Returns the notes of a request of several parts in the order of one part. */
export const inOrder = (parts: readonly PartNotes[]): readonly WireNote[] => [
  ...parts.flatMap(({ ids }) => ids),
  ...parts.flatMap(({ messages }) => messages),
  ...parts.flatMap(({ ends }) => ends),
];

/** @param reach the places of the messages, by default of all. The first ones follow the frames, and contributions the last ones. */
export const composePart = (
  manifest: Manifest,
  format: WireFormat,
  { from, to } = { from: 0, to: manifest.messages.length },
): ComposedPart => {
  const isWhole = from === 0 && to === manifest.messages.length;
  const sources = isWhole ? manifest.messages : manifest.messages.slice(from, to);
  const contributions = to === manifest.messages.length ? manifest.contributions : [];
  const mayWait = to === manifest.messages.length && contributions.length === 0;
  const isAbandoned = isCallAmong(manifest.abandonedCalls);
  const pairing = pairToolCalls(sources, ({ id }, callId) => isAbandoned(id, callId));
  const ids = nameCalls(pairing, format);
  const notes: WireNote[] = [];
  const context: Context = {
    manifest,
    sources,
    format,
    ids,
    notes,
    callsOf: callsByMessage(pairing),
    resultsOf: resultsByMessage(pairing),
    dropped: new Set(manifest.droppedOutputs.map(keyOf)),
    waiting: mayWait ? sources.findLastIndex(({ blocks }) => blocks.length > 0) : -1,
  };
  const frames = from === 0 ? [manifest.pinned, manifest.record, manifest.gap] : [];
  const spoken: WireMessage[] = [...saidByUser(frames.filter((text) => text !== undefined))];
  sources.forEach((message, at) => {
    say(message, at, context, spoken);
  });
  spoken.push(...saidByUser(contributions));
  const endNotes: WireNote[] = [];
  const messages = joinNeighbours(spoken, sources, endNotes);
  const opening = from === 0 ? openingTexts(messages).flatMap((text) => saidByUser([text])) : [];
  return {
    messages: opening.length === 0 ? messages : [...opening, ...messages],
    notes: { ids: ids.notes, messages: notes, ends: endNotes },
    ids: [...[...pairing.calls, ...pairing.unpaired].map(({ id }) => id), ...ids.taken],
    tools: toolsIn(messages),
  };
};

const toolsIn = (messages: readonly WireMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.blocks.filter(isToolUse).map(({ name }) => name) : [],
    ),
  );

const saidByUser = (texts: readonly string[]): readonly WireMessage[] =>
  texts.length > 0 ? [{ role: 'user', results: [], blocks: texts.map(textBlock) }] : [];

/** Returns the texts before a context that does not begin with the user. */
const openingTexts = (messages: readonly WireMessage[]): readonly string[] => {
  switch (messages.find(({ role }) => role !== 'system')?.role) {
    case 'user':
      return [];
    case 'assistant':
      return [OPENING_TEXT];
    default:
      return [SILENCE_TEXT];
  }
};

type Context = {
  readonly manifest: Manifest;
  readonly sources: readonly Message[];
  readonly format: WireFormat;
  readonly ids: CallIds;
  readonly notes: WireNote[];
  /** The calls of each message, by its place. */
  readonly callsOf: readonly (readonly PairedCall[] | undefined)[];
  /** Whether each result of a message answers a call, by the message's place. */
  readonly resultsOf: readonly (readonly (boolean | undefined)[] | undefined)[];
  /** Calls of which the output is left out. */
  readonly dropped: ReadonlySet<string>;
  /** Index of the message whose calls may still wait for all of their results; -1 without one. */
  readonly waiting: number;
};

const resultsByMessage = ({ calls }: Pairing): Context['resultsOf'] => {
  const places: boolean[][] = [];
  for (const { result } of calls) {
    if (!result) continue;
    const answers = places[result.message];
    if (answers) answers[result.block] = true;
    else if (result.block === 0) places[result.message] = [true];
    else {
      const later: boolean[] = [];
      later[result.block] = true;
      places[result.message] = later;
    }
  }
  return places;
};

const callsByMessage = ({ calls }: Pairing): Context['callsOf'] => {
  const places: PairedCall[][] = [];
  for (const one of calls) {
    const others = places[one.call.message];
    if (others) others.push(one);
    else places[one.call.message] = [one];
  }
  return places;
};

const resultAt = (messages: readonly Message[], { message: at, block }: BlockPlace) => {
  const message = messages[at];
  return message && toolResultsOf(message)[block];
};

/** Adds the content of a message, followed by the results of its calls from any position. */
const say = (message: Message, at: number, context: Context, spoken: WireMessage[]): void => {
  switch (message.role) {
    case 'assistant': {
      const blocks = assistantBlocks(message, at, context);
      if (blocks.length > 0) spoken.push({ role: 'assistant', blocks });
      const results = resultsAfter(message, at, context);
      if (results) spoken.push(results);
      return;
    }
    case 'user': {
      const blocks = userBlocks(message, at, context);
      // Of most messages with results nothing is left: the results are said after their calls.
      if (blocks.length > 0) spoken.push({ role: 'user', results: NO_RESULTS, blocks });
      return;
    }
    case 'system':
      spoken.push(...systemOf(message, context));
  }
};

/** Returns the blocks mapped by `kept`, without removed ones; the same list if none changes. */
const keptOf = (blocks: readonly Block[], kept: (block: Block) => Block | undefined): readonly Block[] => {
  let changed: Block[] | undefined;
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    const one = block && kept(block);
    if (one !== block) changed ??= blocks.slice(0, at);
    if (one) changed?.push(one);
  }
  return changed ?? blocks;
};

const assistantBlocks = (
  message: Message,
  at: number,
  { manifest, format, ids, notes, callsOf }: Context,
): readonly Block[] => {
  const calls = callsOf[at];
  let call = 0;
  const isPaired = pairedIn(message);
  return keptOf(message.blocks, (block) => {
    if (isToolUse(block)) {
      const id = ids.idOf(calls?.[call]);
      call += 1;
      const name = toolName(block.name, format);
      return block.id === id && block.name === name ? block : renamed(block, { id, name });
    }
    if (isReasoning(block)) {
      const reason = reasoningOmission(block, message, manifest, format);
      if (reason) notes.push({ action: 'omitted-reasoning', messageId: message.id, reason });
      return reason ? undefined : block;
    }
    if (block.type === 'text') return isBlank(block.text) ? undefined : block;
    return isAssistants(block, format) && isPaired(block) ? block : stray(block, message, notes);
  });
};

/** A call of a provider's own tool has its result in the same message, and the other way round. */
const pairedIn = ({ blocks }: Message): ((block: Block) => boolean) => {
  let names: { readonly ids: ReadonlySet<unknown>; readonly answered: ReadonlySet<unknown> } | undefined;
  return ({ type, id, tool_use_id: callId }) => {
    names ??= {
      ids: new Set(blocks.map((one) => one.id)),
      answered: new Set(blocks.map((one) => one.tool_use_id)),
    };
    return type.endsWith('_tool_use')
      ? names.answered.has(id)
      : callId === undefined || names.ids.has(callId);
  };
};

/** Returns the results of an assistant message's calls, in call order, with a placeholder for each missing result. */
const resultsAfter = (message: Message, at: number, context: Context): WireUser | undefined => {
  const { manifest, sources, ids, notes, callsOf, dropped, waiting } = context;
  const calls = callsOf[at];
  if (!calls) return undefined;
  if (at === waiting && calls.every(({ result }) => !result)) return undefined;
  const results = calls.map((one): ToolResultBlock => {
    const { id: callId, result } = one;
    const id = ids.idOf(one);
    const block = result && resultAt(sources, result);
    if (block) {
      const isDropped = dropped.size > 0 && dropped.has(keyOf({ messageId: message.id, callId }));
      return cleanResult(block, id, isDropped ? manifest.wayBack : undefined);
    }
    notes.push({ action: 'answered-open-call', callId });
    return syntheticResult(id);
  });
  return { role: 'user', results, blocks: NOTHING };
};

const NOTHING: readonly Block[] = [];
const NO_RESULTS: readonly ToolResultBlock[] = [];
const keyOf = ({ messageId, callId }: CallReference): string => `${messageId}/${callId}`;

const userBlocks = (
  message: Message,
  at: number,
  { format, notes, resultsOf }: Context,
): readonly Block[] => {
  const answers = resultsOf[at];
  let result = -1;
  return keptOf(message.blocks, (block) => {
    if (isToolResult(block)) {
      result += 1;
      return answers?.[result] ? undefined : stray(block, message, notes);
    }
    if (block.type === 'text') return isBlank(block.text) ? undefined : block;
    if (block.type === 'image' || block.type === 'document') return block;
    if (isReasoning(block)) {
      notes.push({ action: 'omitted-reasoning', messageId: message.id, reason: 'unsigned' });
      return undefined;
    }
    return isUsers(block, format) ? block : stray(block, message, notes);
  });
};

const stray = (block: Block, message: Message, notes: WireNote[]): Block => {
  notes.push({ action: 'quoted-stray-block', messageId: message.id, type: block.type });
  return quoteStray(block);
};

/**
 * Only some models accept a system message inside the conversation: for Anthropic it is sent as a marked user
 * message.
 */
const systemOf = (message: Message, { format }: Context): WireMessage[] => {
  const text = textOf(message);
  if (isBlank(text)) return [];
  if (format !== 'anthropic') return [{ role: 'system', text }];
  return [
    {
      role: 'user',
      results: [],
      blocks: [textBlock(`<system-message>\n${defused(text)}\n</system-message>`)],
    },
  ];
};

/**
 * Blocks of Anthropic's assistant and user messages other than text, reasoning, calls, results and media.
 */
const ASSISTANTS_BLOCKS = new Set([
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_listing',
  'container_upload',
  'compaction',
  'fallback',
]);
const USERS_BLOCKS: Readonly<Record<WireFormat, ReadonlySet<string>>> = {
  anthropic: new Set(['search_result', 'container_upload']),
  'openai-chat': new Set(),
  'openai-responses': new Set(['input_file', 'input_image']),
};

/** Blocks of a provider's own tools mean nothing to other providers. */
const isAssistants = (block: Block, format: WireFormat): boolean => {
  if (format === 'openai-responses') return isLoneItem(block);
  return format === 'anthropic' && ASSISTANTS_BLOCKS.has(block.type) && !isLoneItem(block);
};
const isUsers = ({ type }: Block, format: WireFormat): boolean => USERS_BLOCKS[format].has(type);

/**
 * Whether a block is an item of OpenAI's Responses that needs no other one beside it: a search of the provider's, or its
 * compaction. Anthropic has a block of the same name for its own compaction, and that one has a `content`.
 */
const isLoneItem = ({ type, content, encrypted_content: encrypted }: JsonObject): boolean =>
  type === 'web_search_call' ||
  (type === 'compaction' && content === undefined && typeof encrypted === 'string');
