import { isJsonObject, type Json } from '@app/kernel';
import {
  listOf,
  oneOf,
  type ProfileField,
  type ProfileTheme,
  share,
  text,
  type Values,
  whole,
  yesOrNo,
} from './fields/field.js';
import { PROMPT_NAME, SUMMARIZER_NAME } from './summarizer-names.js';

/** Names of stages; the profile lists the active ones in order. */
export const STAGE_NAMES = [
  /** Durable, before a request: tool results over a size are stored aside. */
  'offload-results',
  /** While a request is composed: old steps, and old turns without tools, are left out of it. */
  'snip',
  /** While a request is composed: old tool results are left out of it. */
  'micro',
  /** Durable, at the end of a turn and before a compaction: old tool outputs are marked as gone. */
  'prune',
  /** Part of a compaction, instead of a summary if it suffices. */
  'drop-tool-outputs',
  'summarize',
  /** Durable, before a request that is too large all the same: old turns become a line each. */
  'collapse',
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

/** Profile fields with overrides per model. */
export const PER_MODEL_FIELDS = [
  'warnAtShare',
  'requireAtShare',
  'blockAtShare',
  'triggerBy',
  'triggerAtShare',
  'triggerReserveTokens',
  'triggerMessages',
  'triggerTurns',
  'triggerToolCalls',
  'triggerMinutes',
  'idleAtShare',
  'keepRecentTurns',
  'keepRecentTokens',
  'targetShare',
  'maxOutputTokens',
  'maxOutputShare',
  'maxSummaryTokens',
  'maxSummaryShare',
] as const;

/** Restorable content: files as last read or written by tools, skills as loaded, the newest plan. */
const REINJECTABLES = ['plan', 'skills', 'files'] as const;
export type Reinjectable = (typeof REINJECTABLES)[number];

/**
 * Handling of a request that does not fit even after a compaction: `off` is an error; `on` omits tool outputs, then
 * old messages, then parts of the newest results; `truncate` also shortens other messages, including the user's.
 */
export const LADDER_POLICIES = ['off', 'on', 'truncate'] as const;
export type LadderPolicy = (typeof LADDER_POLICIES)[number];

const under =
  (theme: ProfileTheme) =>
  <Value>(values: Values<Value>): ProfileField<Value> => ({ theme, ...values });
const [name, budget, triggers, cut] = [under('name'), under('budget'), under('triggers'), under('cut')];
const [size, stages, summary, failure] = [under('size'), under('stages'), under('summary'), under('failure')];

const MODELS_MAX = 100;

/** Whether a value is a list of overrides for models, each with values that their fields take. */
const isModelOverrides = (value: unknown): value is readonly ModelOverrides[] =>
  Array.isArray(value) && value.length <= MODELS_MAX && value.every(isOverride);

const isOverride = (value: Json): boolean => {
  if (!isJsonObject(value)) return false;
  const { model, ...fields } = value;
  const isName = typeof model === 'string' && model !== '' && model.length <= 200;
  return isName && Object.entries(fields).every(([field, given]) => isPerModelValue(field, given));
};

const isPerModelValue = (field: string, value: Json | undefined): boolean => {
  const known = PER_MODEL_FIELDS.find((one) => one === field);
  return known !== undefined && value !== undefined && PROFILE_FIELDS[known].isValid(value);
};

/** The fields of a profile: their values, from which its type follows, and their descriptions. */
export const PROFILE_FIELDS = {
  name: name(text('Name of the profile.')),
  description: name(text('Purpose of the profile.')),
  mode: budget(
    oneOf(
      'Start of compactions: automatic at the trigger, authorized only when the user asks, off never.',
      'automatic',
      'authorized',
      'off',
    ),
  ),
  warnAtShare: budget(share('Share of the window at which the state becomes warning.')),
  requireAtShare: budget(share('Share of the window at which the state becomes critical.')),
  blockAtShare: budget(share('Share of the window at which the state becomes blocking.')),
  triggerCheck: triggers(
    oneOf(
      'Time of the trigger check: before every request, between steps, or between turns.',
      'request',
      'step',
      'turn',
    ),
  ),
  triggerBy: triggers(
    oneOf(
      'Trigger: the occupancy reaches triggerAtShare, or exceeds the window less triggerReserveTokens, or exceeds the usable budget.',
      'share',
      'reserve',
      'usable-budget',
    ),
  ),
  triggerAtShare: triggers(share('Share of the window at which an automatic compaction is requested.')),
  triggerReserveTokens: triggers(
    whole('Tokens of the window that stay free if triggerBy is reserve; half of the window at most.'),
  ),
  explicitMidTurn: triggers(oneOf('Response to a manual compaction during a turn.', 'run', 'refuse')),
  idleAfterMinutes: triggers(
    whole('Minutes without an event after which an idle session is compacted; 0 disables.'),
  ),
  idleAtShare: triggers(share('Share of the window from which an idle session is compacted.')),
  providerContextManagement: triggers(
    oneOf('Whether the caller also uses the provider’s context management.', 'none', 'configured'),
  ),
  triggerMessages: triggers(
    whole('Messages since the last compaction that trigger one at any occupancy; 0 disables.'),
  ),
  triggerTurns: triggers(whole('Turns since the last compaction that trigger one; 0 disables.')),
  triggerToolCalls: triggers(whole('Tool calls since the last compaction that trigger one; 0 disables.')),
  triggerMinutes: triggers(
    whole('Minutes since the last compaction after which the next check triggers one; 0 disables.'),
  ),
  perModel: triggers({
    isValid: isModelOverrides,
    schema: { type: 'array', items: { type: 'object' }, maxItems: MODELS_MAX },
    expects: `a list of at most 100 objects with model (a name, with * for any characters) and any of ${PER_MODEL_FIELDS.join(', ')}`,
    description: 'Overrides for models: the first entry that matches the session’s model applies.',
  }),
  tokenCounting: budget(
    oneOf(
      'Counter of requests near the limit: this service, or the provider of the model if it has a counting endpoint.',
      'estimate',
      'provider',
    ),
  ),
  unknownWindow: budget({
    isValid: (value): value is number | 'refuse' =>
      value === 'refuse' || (Number.isSafeInteger(value) && Number(value) > 0),
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'refuse' }] },
    expects: 'a whole number above 0, or refuse',
    description: 'Window in tokens for models whose window is unknown; refuse rejects such sessions.',
  }),
  keepBy: cut(oneOf('Unit of the retained tail.', 'turns', 'tokens')),
  keepRecentTurns: cut(whole('Newest turns that stay verbatim.', 1)),
  keepRecentTokens: cut(
    whole('Newest tokens that stay if keepBy is tokens; 0 keeps only the newest atomic group.'),
  ),
  protection: cut(
    oneOf(
      'Response to protected messages larger than the target: yields shrinks them, strict refuses the compaction.',
      'yields',
      'strict',
    ),
  ),
  targetShare: size(share('Target size of a compaction as a share of its trigger.')),
  maxRemainingShare: size(share('Maximum size after a compaction as a share of the size before it.')),
  maxOutputTokens: size(whole('Maximum of tokens reserved for the answer.')),
  maxOutputShare: size(share('The same as a share of the window; the smaller value applies.')),
  maxSummaryTokens: size(whole('Maximum of tokens of a summary.', 1)),
  maxSummaryShare: size(share('The same as a share of the window; the smaller value applies.')),
  minOutputTokens: size(whole('Minimum of tokens for an answer; a request with less room is shortened.', 1)),
  minOutputShare: size(share('The same as a share of the window; the smaller value applies.')),
  stages: stages(
    listOf(
      'Stages in order; each runs only if needed.',
      `a list of ${STAGE_NAMES.join(', ')} without duplicates, including drop-tool-outputs or summarize`,
      STAGE_NAMES,
    ),
  ),
  exemptTools: stages(
    listOf(
      'Tools whose results all stages keep until a summary covers them; case-insensitive.',
      'a list of tool names without duplicates',
    ),
  ),
  maxResultTokens: stages(whole('offload-results: maximum of tokens of one result.', 1)),
  maxResultTokensPerMessage: stages(
    whole('offload-results: maximum of tokens of all results of one message.', 1),
  ),
  previewTokens: stages(whole('offload-results: maximum of tokens of the preview that stays of a result.')),
  viewAtShare: stages(share('snip and micro: share of the window at which they start.')),
  snipKeepSteps: stages(whole('snip: newest steps that stay, also within a turn.', 1)),
  microKeepResults: stages(whole('micro: newest tool results that stay.', 1)),
  pruneKeepTokens: stages(whole('prune: tokens of the newest tool outputs that stay.')),
  pruneMinGainTokens: stages(whole('prune: minimum gain in tokens.')),
  pruneKeepTurns: stages(whole('prune: newest turns that stay unchanged.', 1)),
  offloadExemptTools: stages(
    listOf(
      'offload-results: further tools whose results stay in requests, such as those that read files, so that agents need not read a file twice; case-insensitive.',
      'a list of tool names without duplicates',
    ),
  ),
  offloadExemptMaxShare: stages(
    share(
      'offload-results: share of the window at which a result, or all results of one message, are offloaded despite offloadExemptTools.',
    ),
  ),
  viewKeepShare: stages(share('snip and micro: share of the window that the newest messages keep.')),
  snipKeepTurns: stages(whole('snip: newest turns that stay even without tool calls.', 1)),
  recall: stages(
    yesOrNo('Whether requests declare the tool recall_history, with which the model reads omitted messages.'),
  ),
  toolOutputs: summary(
    oneOf('Treatment of tool outputs outside the protected turns.', 'summarized', 'dropped'),
  ),
  reasoning: summary(
    oneOf(
      'Treatment of reasoning outside the protected turns. summarize: the summarizer reads it when its turn is compacted. drop-when-compacted: it stays in requests until then, and no summarizer reads it. drop-beyond-protected: it leaves requests as soon as a compaction is due, and no summarizer reads it.',
      'summarize',
      'drop-when-compacted',
      'drop-beyond-protected',
    ),
  ),
  summarizer: summary({
    isValid: (value): value is string => typeof value === 'string' && SUMMARIZER_NAME.test(value),
    schema: { type: 'string', pattern: SUMMARIZER_NAME.source },
    expects:
      'extractive, default, or the name of a summarizer: 64 letters, digits, dots, hyphens and underscores at most',
    description:
      'Summarizer: extractive calls no model, default is the configuration of the tenant or the process.',
  }),
  summaryInput: summary(
    oneOf(
      'Input of a model: a transcript, or, if the session’s own model summarizes, the session’s request followed by the task, which uses the prompt cache.',
      'transcript',
      'prefix',
    ),
  ),
  hybrid: summary(
    yesOrNo('Whether facts from the log, extracted without a model, complete a model’s summary.'),
  ),
  nativeCompaction: summary(
    yesOrNo('Whether the provider’s compaction is also requested and recorded beside the summary.'),
  ),
  unverifiedQuotes: summary(
    oneOf('Response to a summary with quotes of the user that are not in the log.', 'flag', 'reject'),
  ),
  factList: summary(
    yesOrNo('Whether facts that the summary lost and the retained messages refer to are appended to it.'),
  ),
  keepUserMessageTokens: summary(
    whole(
      'Tokens of the user’s messages, newest first, that stay verbatim after a summary; half of the summary’s budget at most. 0 leaves all to the summary.',
    ),
  ),
  prompt: summary({
    isValid: (value): value is string => typeof value === 'string' && PROMPT_NAME.test(value),
    schema: { type: 'string', pattern: PROMPT_NAME.source },
    expects: 'default, or a prompt of the tenant as NAME or NAME@VERSION',
    description:
      'Prompt of model summarizers: default is the built-in prompt; a name without a version is the newest version.',
  }),
  reinject: summary(
    listOf(
      'Content of covered messages that follows a summary, in this order.',
      `a list of ${REINJECTABLES.join(', ')} without duplicates`,
      REINJECTABLES,
    ),
  ),
  reinjectFiles: summary(
    listOf('reinject: paths of files, with * for any characters.', 'a list of paths without duplicates'),
  ),
  maxReinjectTokens: summary(whole('reinject: maximum of counted tokens, within the target; 0 disables.')),
  maxAttempts: failure(whole('Attempts of one compaction before it fails.', 1)),
  autoContinue: failure(
    yesOrNo(
      'Whether the service appends a message to continue work that an automatic compaction interrupted.',
    ),
  ),
  breakerFailures: failure(
    whole('Consecutive compactions that fail or gain nothing before automatic ones stop.', 1),
  ),
  breakerCooldownTurns: failure(
    whole(
      'Turns after which one automatic compaction is tried again, unless breakerCooldownMinutes pass first; 0 disables.',
    ),
  ),
  breakerCooldownMinutes: failure(
    whole(
      'Minutes after which one automatic compaction is tried again, unless breakerCooldownTurns pass first; 0 disables.',
    ),
  ),
  ladder: failure(
    oneOf(
      'Response to a request that no compaction makes fit: the error, the ladder, or the ladder that also shortens other messages, including the user’s.',
      ...LADDER_POLICIES,
    ),
  ),
};

/**
 * A named, complete policy. Profiles are data without code, and a session records every field of its own, so that later
 * editions of a profile do not change past sessions.
 */
export type Profile = {
  readonly [Field in keyof typeof PROFILE_FIELDS]: ValueOf<(typeof PROFILE_FIELDS)[Field]>;
};
type ValueOf<Field> = Field extends ProfileField<infer Value> ? Value : never;

/** Overrides for models by name pattern, in which `*` matches any characters. */
export type ModelOverrides = { readonly model: string } & {
  readonly [Field in (typeof PER_MODEL_FIELDS)[number]]?: Profile[Field];
};
