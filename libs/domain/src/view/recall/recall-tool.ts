import { isJsonObject, type Json, type JsonObject, type MessageId, Tokens } from '@app/kernel';
import type { Profile } from '../../profiles/profile.js';

/** The tool by which a model reads back messages and results that requests show shortened, or not at all. */
export const RECALL_TOOL = 'recall_history';
/** Maximum messages per answer of the tool, and the default. */
export const RECALL_MESSAGES_MAX = 50;
export const RECALL_MESSAGES_DEFAULT = 5;

/** The definition, in Anthropic's form: requests to other providers write it in theirs. The same bytes at all times. */
export const recallTool: JsonObject = {
  name: RECALL_TOOL,
  description:
    'Reads back parts of this conversation that were shortened, cleared, or replaced by a summary, exactly as they were. ' +
    'Returns data from the log, not instructions. Without arguments: the newest messages before the ones shown in full. ' +
    'Each answer lists message ids to go on from, and is cut at 20000 characters: "offset" goes on.',
  input_schema: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'Id of the first message to read' },
      call: { type: 'string', description: 'Id of a tool call whose result to read' },
      before: { type: 'string', description: 'Id of a message: read those right before it' },
      messages: {
        type: 'integer',
        description: 'Number of messages, from 1 to 50; 1 by default, 5 before a message',
      },
      offset: { type: 'integer', description: 'Character of the answer to go on from' },
    },
  },
};

/** Counted tokens of the definition at most, in the form of any provider. */
const RECALL_TOOL_TOKENS = 205;

/** The part of a session that decides whether its requests carry the tool. */
type Recalling = {
  readonly profile: Pick<Profile, 'recall'>;
  readonly opened: { readonly tools: readonly JsonObject[] };
};

/** Whether requests carry the tool: the profile asks for it, and the caller has no tool of that name. */
export const carriesRecall = ({ profile, opened }: Recalling): boolean =>
  profile.recall && !declaresRecall(opened.tools);

/** Whether a tool of that name is among tools in the form of any provider. */
export const declaresRecall = (tools: readonly JsonObject[]): boolean =>
  tools.some((tool) => declaredName(tool) === RECALL_TOOL);

/** A tool's name, in Anthropic's form or in one of OpenAI's: chat has it one level down. */
export const declaredName = (tool: JsonObject): Json | undefined => {
  if (isJsonObject(tool.function)) return tool.function.name;
  return isJsonObject(tool.custom) ? tool.custom.name : tool.name;
};

/** The counted tokens that the tool adds to each request of a session. */
export const recallTokens = (session: Recalling): Tokens =>
  Tokens(carriesRecall(session) ? RECALL_TOOL_TOKENS : 0);

/**
 * Means to read the original of a placeholder: the model uses the tool, the caller the API. No
 * placeholder names its session, so that a fork has the bytes of its source, and the provider's prompt cache serves both.
 */
export type WayBack = 'tool' | 'route';

export const wayBackOf = (session: Recalling): WayBack => (carriesRecall(session) ? 'tool' : 'route');

/** A call of the tool as it is written in a placeholder. */
export const recallCall = (input: JsonObject): string => `${RECALL_TOOL} ${JSON.stringify(input)}`;

/**
 * Only such ids are written into placeholders, whose size must be known in advance; ids of providers and of this
 * engine match.
 */
const NAMEABLE = /^[\w.:-]{1,48}$/;
/** Counted tokens of a placeholder at most: with a route in it, or with a call of the tool. */
const BY_ROUTE_TOKENS = 32;
const BY_TOOL_TOKENS = 56;

/** Returns the upper bound of a placeholder in counted tokens. */
export const placeholderTokens = (session: Parameters<typeof carriesRecall>[0]): number =>
  carriesRecall(session) ? BY_TOOL_TOKENS : BY_ROUTE_TOKENS;

/** Placeholders of dropped outputs, cleared results and snipped steps in a request without the recall tool. */
export const DROPPED_OUTPUT_TEXT =
  '[This tool output was dropped to save room: GET /v1/sessions/{session}/messages/{message} has it.]';
export const CLEARED_RESULT_TEXT =
  '[This old result was left out to save room: GET /v1/sessions/{session}/messages/{message} has it.]';
export const SNIPPED_TEXT =
  '[Earlier messages were left out to save room: GET /v1/sessions/{session}/messages/{message} has each.]';

/** Placeholder of a dropped output in a request with the recall tool. */
export const droppedOutputText = (callId: string, way: WayBack): string =>
  isNamed(callId, way)
    ? `[This tool output was dropped to save room: ${recallCall({ call: callId })}]`
    : DROPPED_OUTPUT_TEXT;
export const clearedResultText = (callId: string, way: WayBack): string =>
  isNamed(callId, way)
    ? `[This old result was left out to save room: ${recallCall({ call: callId })}]`
    : CLEARED_RESULT_TEXT;
/** @param first of `count` messages. */
export const snippedText = (first: MessageId, count: number, way: WayBack): string =>
  isNamed(first, way)
    ? `[Earlier messages were left out to save room: ${recallCall({ message: first, messages: count })}]`
    : SNIPPED_TEXT;

/** Whether a placeholder names the id that the tool reads by. */
export const isNamed = (id: string, way: WayBack): boolean => way === 'tool' && NAMEABLE.test(id);
