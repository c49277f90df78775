import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isShallow, textBlocks } from '../../drafts/content-blocks.js';
import { asInserted } from '../../drafts/inserted.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../../drafts/members.js';
import { inputOf } from '../../wires/arguments.js';
import { type Found, NOTHING, UNUSABLE } from '../found.js';
import { ofAcpCall } from './acp.js';
import { observed, partsOf } from './observed.js';
import { originOf } from './origin.js';

/** An event of OpenHands' agent SDK. */
export const foundInSdk = (event: JsonObject): Found => {
  if (!isShallow(event)) return UNUSABLE;
  switch (event.kind) {
    case 'SystemPromptEvent':
      return {
        kind: 'prompt',
        system: [textIn(event.system_prompt), textIn(event.dynamic_context)].filter(Boolean).join('\n\n'),
        tools: (listIn(event, 'tools') ?? []).filter(isJsonObject).map(describedTool),
      };
    case 'ConversationStateUpdateEvent':
      return modelIn(event);
    case 'MessageEvent':
      return ofMessage(event);
    case 'ActionEvent':
      return ofAction(event);
    case 'ObservationEvent':
      return ofObservation(event);
    case 'UserRejectObservation':
      return result(event, `Action rejected: ${stringIn(event, 'rejection_reason') ?? ''}`, true);
    case 'AgentErrorEvent':
      return result(event, stringIn(event, 'error') ?? '', true);
    case 'ACPToolCallEvent':
      return ofAcpCall(event);
    case 'Condensation':
      return {
        kind: 'condensation',
        condensation: {
          id: stringIn(event, 'id'),
          summary: stringIn(event, 'summary'),
          createdAt: timeFrom(event.timestamp),
          forgotten: (id) => (listIn(event, 'forgotten_event_ids') ?? []).includes(id),
        },
      };
    default:
      return NOTHING;
  }
};

const textIn = (value: Json | undefined): string =>
  typeof value === 'string' ? value : isJsonObject(value) ? (stringIn(value, 'text') ?? '') : '';

/** The whole state of a conversation names the model; a change of one member of it does not. */
const modelIn = ({ value }: JsonObject): Found => {
  const agent = isJsonObject(value) ? objectIn(value, 'agent') : undefined;
  const model = modelNameIn(objectIn(agent ?? {}, 'llm') ?? {});
  return model === undefined ? NOTHING : { kind: 'model', model };
};

const ofMessage = (event: JsonObject): Found => {
  const said = objectIn(event, 'llm_message');
  const parts = said && partsOf(said.content);
  if (!said || !parts) return UNUSABLE;
  if (said.role === 'tool') return result({ ...event, tool_call_id: said.tool_call_id }, parts, false);
  const role = said.role === 'assistant' ? 'assistant' : said.role === 'system' ? 'system' : 'user';
  const beside = asInserted(partsOf(event.extended_content) ?? []);
  // A message with the role of the user that the user has not sent.
  if (role === 'user' && event.source !== undefined && event.source !== 'user') asInserted(parts);
  return {
    kind: 'message',
    message: {
      role,
      blocks: [...reasoning(said), ...parts, ...beside, ...callsIn(said)],
      ...originOf(event),
    },
  };
};

const callsIn = (said: JsonObject): readonly Block[] =>
  (listIn(said, 'tool_calls') ?? []).filter(isJsonObject).flatMap((call) => callBlock(call, call) ?? []);

/** @param named the object with the call's name, if it differs from the one with its input. */
const callBlock = (call: JsonObject, named: JsonObject): Block | undefined => {
  const called = objectIn(call, 'function') ?? call;
  const id = stringIn(named, 'tool_call_id') ?? stringIn(call, 'id');
  const name = stringIn(named, 'tool_name') ?? stringIn(called, 'name');
  if (id === undefined || name === undefined) return undefined;
  const given = called.arguments;
  return { type: 'tool_use', id, name, input: isJsonObject(given) ? given : inputOf(given) };
};

const ofAction = (event: JsonObject): Found => {
  const call = callBlock(objectIn(event, 'tool_call') ?? {}, event);
  if (call === undefined) return UNUSABLE;
  const responseId = stringIn(event, 'llm_response_id');
  return {
    kind: 'message',
    message: {
      role: 'assistant',
      blocks: [...reasoning(event), ...(partsOf(event.thought) ?? []), call],
      ...originOf(event),
    },
    ...(responseId !== undefined && { responseId }),
  };
};

/** Anthropic's blocks as they were, OpenAI's item as a signature, or, without either, the words alone. */
const reasoning = (said: JsonObject): readonly Block[] => {
  const blocks = (listIn(said, 'thinking_blocks') ?? []).flatMap((block) => blockFrom(block) ?? []);
  if (blocks.length > 0) return blocks;
  const item = objectIn(said, 'responses_reasoning_item');
  const words = stringIn(said, 'reasoning_content');
  if (item) {
    const signature = JSON.stringify({ type: 'reasoning', ...item });
    return [{ type: 'thinking', thinking: words ?? '', signature }];
  }
  return words === undefined ? [] : [{ type: 'thinking', thinking: words }];
};

/** Includes context that the agent appended, such as rules for the file. */
const ofObservation = (event: JsonObject): Found => {
  const { content, failed } = observed(objectIn(event, 'observation') ?? {});
  const behind = partsOf(event.extended_content) ?? [];
  const blocks = [...content, ...behind];
  const [only, ...more] = blocks;
  if (only === undefined) return result(event, '', failed);
  const isText = only.type === 'text' && more.length === 0;
  return result(event, isText ? String(only.text) : blocks, failed);
};

const result = (event: JsonObject, content: string | readonly Block[], failed: boolean): Found => {
  const id = stringIn(event, 'tool_call_id');
  const origin = originOf(event);
  if (id === undefined) {
    const blocks = asInserted(typeof content === 'string' ? textBlocks(content) : content);
    return blocks.length === 0 ? UNUSABLE : { kind: 'message', message: { role: 'user', blocks, ...origin } };
  }
  const block: Block = { type: 'tool_result', tool_use_id: id, content, ...(failed && { is_error: true }) };
  return { kind: 'message', message: { role: 'user', blocks: [block], ...origin } };
};

/** A tool as the agent SDK dumps its definition: it is named by its class alone, or by the MCP tool behind it. */
const describedTool = (tool: JsonObject): JsonObject => {
  const isNamed = stringIn(tool, 'name') !== undefined || tool.type === 'function';
  const mcp = objectIn(tool, 'mcp_tool') ?? {};
  const name = stringIn(mcp, 'name') ?? nameOf(stringIn(tool, 'kind'));
  if (isNamed || name === undefined) return tool;
  const description = stringIn(tool, 'description') ?? stringIn(mcp, 'description');
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: objectIn(mcp, 'inputSchema') ?? { type: 'object' },
  };
};

/** `FileEditorTool` is `file_editor` to the model. */
const nameOf = (kind: string | undefined): string | undefined =>
  kind
    ?.replace(/Tool(?:Definition)?$/, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase() || undefined;
