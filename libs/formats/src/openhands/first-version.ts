import { type Block, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { CallLedger } from '../drafts/call-ledger.js';
import { asText, isShallow, textBlocks } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { asInserted } from '../drafts/inserted.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { openAiConverter } from '../openai-messages/convert-message.js';
import { imageFrom } from '../wires/openai-chat/convert-part.js';
import { openAiUsage } from '../wires/openai-usage.js';
import { type Found, NOTHING, UNUSABLE } from './found.js';

/** Reads an event from before the agent SDK: an action, or its observation. */
export const foundInFirst = (event: JsonObject, calls: CallLedger): Found => {
  if (!isShallow(event)) return UNUSABLE;
  return typeof event.action === 'string'
    ? ofAction(event, event.action, calls)
    : ofObservation(event, calls);
};

const idOf = (event: JsonObject): string | undefined => {
  const { id } = event;
  return typeof id === 'number' ? String(id) : stringIn(event, 'id');
};

const ofAction = (event: JsonObject, action: string, calls: CallLedger): Found => {
  const args = objectIn(event, 'args') ?? {};
  switch (action) {
    case 'system':
      return {
        kind: 'prompt',
        system: stringIn(args, 'content') ?? '',
        tools: (listIn(args, 'tools') ?? []).flatMap((tool) => (isJsonObject(tool) ? [tool] : [])),
      };
    case 'message':
      return ofMessage(event, args);
    case 'finish':
    case 'reject':
      return said(event, 'assistant', finalWords(event, args));
    case 'condensation':
      return condensation(event, args);
    case 'delegate':
      return {
        kind: 'delegation',
        name: `delegate-${idOf(event) ?? 'unnamed'}`,
        message: call(event, action, args, calls).message,
      };
    default:
      if (SILENT.has(action)) return NOTHING;
      if (event.source === 'user') return said(event, 'user', `User executed:\n${commandOf(args)}`);
      return { kind: 'message', ...call(event, action, args, calls) };
  }
};
const SILENT = new Set([
  'recall',
  'change_agent_state',
  'condensation_request',
  'null',
  'start',
  'pause',
  'resume',
  'stop',
  'initialize',
]);

const ofMessage = (event: JsonObject, args: JsonObject): Found => {
  const images = (listIn(args, 'image_urls') ?? []).flatMap((url) => imageFrom(url) ?? []);
  const role = event.source === 'user' ? 'user' : 'assistant';
  const response = responseOf(event);
  return {
    kind: 'message',
    message: {
      role,
      blocks: [...textBlocks(stringIn(args, 'content') ?? ''), ...images],
      ...originOf(event),
      ...(role === 'assistant' && response && costOf(response)),
    },
  };
};

/** Returns the recorded response with the call: its other calls have events of their own. */
const call = (
  event: JsonObject,
  action: string,
  args: JsonObject,
  calls: CallLedger,
): { readonly message: DraftMessage; readonly responseId?: string } => {
  const response = responseOf(event);
  const message = response && messageIn(response);
  if (response && message) {
    const responseId = stringIn(response, 'id');
    return {
      message: { ...message, ...originOf(event), ...costOf(response) },
      ...(responseId !== undefined && { responseId }),
    };
  }
  const { thought, ...input } = args;
  const named = objectIn(event, 'tool_call_metadata') ?? {};
  const name = stringIn(named, 'function_name') ?? action;
  const id = calls.open(name, stringIn(named, 'tool_call_id') ?? callIdOf(idOf(event)));
  const words =
    typeof thought === 'string' ? thought : stringIn(isJsonObject(thought) ? thought : {}, 'text');
  const blocks: readonly Block[] = [...textBlocks(words ?? ''), { type: 'tool_use', id, name, input }];
  return { message: { role: 'assistant', blocks, ...originOf(event) } };
};

const responseOf = (event: JsonObject): JsonObject | undefined =>
  objectIn(objectIn(event, 'tool_call_metadata') ?? {}, 'model_response');

const messageIn = (response: JsonObject): DraftMessage | undefined => {
  const [choice] = listIn(response, 'choices') ?? [];
  const message = isJsonObject(choice) ? objectIn(choice, 'message') : undefined;
  const hasCalls = (listIn(message ?? {}, 'tool_calls') ?? []).length > 0;
  return message && hasCalls ? openAiConverter()({ ...message, role: 'assistant' }) : undefined;
};

const costOf = (response: JsonObject): Pick<DraftMessage, 'model' | 'usage'> => {
  const model = modelNameIn(response);
  const usage = openAiUsage(objectIn(response, 'usage'), {
    input: 'prompt_tokens',
    output: 'completion_tokens',
  });
  return {
    ...(model !== undefined && { model }),
    ...(usage && { usage: { ...(model !== undefined && { model }), ...usage } }),
  };
};

const ofObservation = (event: JsonObject, calls: CallLedger): Found => {
  const observation = String(event.observation);
  const extras = objectIn(event, 'extras') ?? {};
  if (observation === 'agent_state_changed' || observation === 'null') return NOTHING;
  const text = stringIn(event, 'content') ?? '';
  if (observation === 'recall') return said(event, 'user', recalled(extras));
  const message = resultOf(event, extras, text, calls);
  return observation === 'delegate' ? { kind: 'delegated', message } : { kind: 'message', message };
};

const resultOf = (event: JsonObject, extras: JsonObject, text: string, calls: CallLedger): DraftMessage => {
  const images = [extras.screenshot, ...(listIn(extras, 'image_urls') ?? [])].flatMap((url) =>
    typeof url === 'string' && url !== '' ? (imageFrom(url) ?? []) : [],
  );
  const content = images.length === 0 ? text : [textBlock(text), ...images];
  const ownId = stringIn(objectIn(event, 'tool_call_metadata') ?? {}, 'tool_call_id');
  const cause = callIdOf(typeof event.cause === 'number' ? String(event.cause) : stringIn(event, 'cause'));
  const callId = ownId ?? (cause !== undefined && calls.has(cause) ? cause : undefined);
  const origin = originOf(event);
  // An event without a call, such as an error of the agent, becomes user text.
  if (callId === undefined)
    return { role: 'user', blocks: asInserted([...textBlocks(text), ...images]), ...origin };
  const result: Block = {
    type: 'tool_result',
    tool_use_id: calls.close(callId, undefined),
    content,
    ...(event.observation === 'error' && { is_error: true }),
  };
  return { role: 'user', blocks: [result], ...origin };
};

/** Returns environment information and recalled knowledge as marked text that is not the user's. */
const recalled = (extras: JsonObject): string => {
  const knowledge = (listIn(extras, 'microagent_knowledge') ?? []).flatMap((known) =>
    isJsonObject(known) ? (stringIn(known, 'content') ?? []) : [],
  );
  const members = [
    'repo_name',
    'repo_directory',
    'repo_instructions',
    'additional_agent_instructions',
    'working_dir',
    'date',
    'conversation_instructions',
  ];
  const memberTexts = members.flatMap((member) => stringIn(extras, member) ?? []);
  const listed = ['runtime_hosts', 'custom_secrets_descriptions'].flatMap((member) =>
    Object.entries(objectIn(extras, member) ?? {}).map(([name, value]) => `${name}: ${String(value)}`),
  );
  const text = [...memberTexts, ...listed, ...knowledge].join('\n');
  return text === '' ? '' : `<environment_context>\n${text}\n</environment_context>`;
};

const finalWords = (event: JsonObject, args: JsonObject): string => {
  const words = ['thought', 'final_thought'].flatMap((member) => stringIn(args, member) ?? []);
  return words.length > 0 ? [...new Set(words)].join('\n\n') : (stringIn(event, 'message') ?? '');
};

const commandOf = (args: JsonObject): string => stringIn(args, 'command') ?? String(asText(args).text);

const condensation = (event: JsonObject, args: JsonObject): Found => {
  const listed = new Set((listIn(args, 'forgotten_event_ids') ?? []).map((id: Json) => String(id)));
  const [start, end] = [args.forgotten_events_start_id, args.forgotten_events_end_id];
  const isInRange = (id: number): boolean =>
    typeof start === 'number' && typeof end === 'number' && id >= start && id <= end;
  return {
    kind: 'condensation',
    condensation: {
      id: idOf(event),
      summary: stringIn(args, 'summary'),
      createdAt: timeFrom(event.timestamp),
      forgotten: (id) => listed.has(id) || isInRange(Number(id)),
    },
  };
};

const said = (event: JsonObject, role: 'user' | 'assistant', text: string): Found =>
  text === ''
    ? NOTHING
    : {
        kind: 'message',
        // The user's own words come as messages.
        message: { role, blocks: asInserted([textBlock(text)]), ...costsOf(event, role), ...originOf(event) },
      };

const costsOf = (event: JsonObject, role: 'user' | 'assistant'): Pick<DraftMessage, 'model' | 'usage'> => {
  const response = responseOf(event);
  return role === 'assistant' && response ? costOf(response) : {};
};

const originOf = (event: JsonObject): Pick<DraftMessage, 'id' | 'createdAt'> => {
  const id = idOf(event);
  const createdAt = timeFrom(event.timestamp);
  return { ...(id !== undefined && { id: `event-${id}` }), ...(createdAt !== undefined && { createdAt }) };
};

/** Returns the id of a call; without one, the id of its action, which the observation names as cause. */
const callIdOf = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : `event-${id}`;
