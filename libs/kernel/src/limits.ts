import { isWellFormed } from './text.js';

/**
 * Limits of all external input at every entrance: HTTP API, gateway, import, command line, and storage.
 * `docs/limits.md` has the same table.
 */
export const LIMITS = {
  modelName: { max: 200, unit: 'characters', of: 'Name of a model' },
  profileName: { max: 64, unit: 'characters', of: 'Name of a profile' },
  title: { max: 200, unit: 'characters', of: 'Title of a session' },
  agentName: { max: 64, unit: 'characters', of: 'Name of the agent of a session' },
  project: { max: 256, unit: 'characters', of: 'Project of a session' },
  labelName: { max: 64, unit: 'characters', of: 'Name of a label' },
  labelValue: { max: 256, unit: 'characters', of: 'Value of a label' },
  labels: { max: 100, unit: 'labels', of: 'Labels of a session' },
  subject: { max: 256, unit: 'characters', of: 'Name of a data subject' },
  subjects: { max: 16, unit: 'subjects', of: 'Data subjects of a session or a message' },
  holds: { max: 100, unit: 'holds', of: 'Legal holds of a session' },
  apiKeys: { max: 1_000, unit: 'keys', of: 'Valid API keys of a tenant' },
  toolName: { max: 256, unit: 'characters', of: 'Name of a tool' },
  callId: { max: 1_000, unit: 'characters', of: 'Id of a tool call' },
  stopReason: { max: 200, unit: 'characters', of: 'Reason why a turn has ended' },
  reason: { max: 2_000, unit: 'characters', of: 'Reason that is given for the audit' },
  usageTokens: { max: 100_000_000, unit: 'tokens', of: 'Each count of a bill' },
  window: { max: 1_000_000_000, unit: 'tokens', of: 'Context window' },
  price: { max: 10_000, unit: 'US dollars', of: 'Price of a million tokens' },
  depth: { max: 500, unit: 'levels', of: 'Nesting of JSON' },
  values: { max: 100_000, unit: 'values', of: 'Values in a JSON body, at any depth' },
  messageBytes: { max: 8 * 1_048_576, unit: 'bytes', of: 'Content of a message, as UTF-8' },
  bodyBytes: { max: 16 * 1_048_576, unit: 'bytes', of: 'Body of a request; an import has no limit' },
} as const;

/** Whether `text` can be a name of at most `max` UTF-16 units: not empty, no control character, no lone surrogate. */
export const isName = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && isWellFormed(text) && !CONTROL.test(text);

export const isModelName = (text: string): boolean => isName(text, LIMITS.modelName.max);
export const MODEL_NAME_RULE = `a name of at most ${LIMITS.modelName.max} characters, none of them a control character or half a surrogate pair`;

export const isToolName = (text: string): boolean => isName(text, LIMITS.toolName.max);
export const isCallId = (text: string): boolean => isName(text, LIMITS.callId.max);
export const CALL_NAMES_RULE = `a tool call has an id of at most ${LIMITS.callId.max} characters and a tool of at most ${LIMITS.toolName.max}, none of them a control character or half a surrogate pair`;

/** Whether a count can be one of a bill: a larger one is a mistake, and sums of such counts would overflow. */
export const isUsageCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LIMITS.usageTokens.max;

const CONTROL = /\p{Cc}/u;
