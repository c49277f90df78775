import { isJsonObject, type Json } from '@app/kernel';
import {
  LADDER_POLICIES,
  PER_MODEL_FIELDS,
  type Profile,
  REINJECTABLES,
  type StageName,
} from '../profile.js';
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
} from './field.js';

/** Every stage; one that is missing here does not compile. */
const STAGES: Readonly<Record<StageName, true>> = {
  'offload-results': true,
  snip: true,
  micro: true,
  prune: true,
  'drop-tool-outputs': true,
  summarize: true,
  collapse: true,
};
const STAGE_NAMES = Object.keys(STAGES);

/** Names of tenants' prompts, with an optional version. */
const PROMPT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[1-9]\d{0,5})?$/;
/** Names of tenants' summarizers, which events contain. */
const SUMMARIZER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const under =
  (theme: ProfileTheme) =>
  (values: Values): ProfileField => ({ theme, ...values });
const [name, budget, triggers, cut] = [under('name'), under('budget'), under('triggers'), under('cut')];
const [size, stages, summary, failure] = [under('size'), under('stages'), under('summary'), under('failure')];

const MODELS_MAX = 100;

/** Whether a value is a list of overrides for models, each with values that their fields take. */
const isModelOverrides = (value: Json): boolean =>
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

/** Every field; one that is missing here does not compile. */
export const PROFILE_FIELDS: Readonly<Record<keyof Profile, ProfileField>> = {
  name: name(text('Its name.')),
  description: name(text('What it is for.')),
  mode: budget(
    oneOf(
      'Whether a compaction starts by itself, only on the user’s word, or not at all.',
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
      'When the trigger is looked at: before every request, or only where no step, or no turn, is going on.',
      'request',
      'step',
      'turn',
    ),
  ),
  triggerBy: triggers(
    oneOf(
      'What pulls the trigger: triggerAtShare is reached, or the window less triggerReserveTokens, or the usable budget, is exceeded.',
      'share',
      'reserve',
      'usable-budget',
    ),
  ),
  triggerAtShare: triggers(share('Share of the window at which an automatic compaction is asked for.')),
  triggerReserveTokens: triggers(
    whole('Tokens of the window to be left over, where triggerBy is reserve; half of the window at most.'),
  ),
  explicitMidTurn: triggers(
    oneOf('What becomes of a compaction that somebody asks for while a turn is going on.', 'run', 'refuse'),
  ),
  idleAfterMinutes: triggers(
    whole('Minutes without an event after which an idle session is compacted; 0 is never.'),
  ),
  idleAtShare: triggers(share('Share of the window from which an idle session is compacted.')),
  providerContextManagement: triggers(
    oneOf('Whether the provider’s own context management is on as well.', 'none', 'configured'),
  ),
  triggerMessages: triggers(
    whole('Messages since the last compaction that ask for one, whatever the tokens; 0 is never.'),
  ),
  triggerTurns: triggers(whole('Turns since the last compaction that ask for one; 0 is never.')),
  triggerToolCalls: triggers(whole('Tool calls since the last compaction that ask for one; 0 is never.')),
  triggerMinutes: triggers(
    whole('Minutes since the last compaction after which the next check asks for one; 0 is never.'),
  ),
  perModel: triggers({
    isValid: isModelOverrides,
    schema: { type: 'array', items: { type: 'object' }, maxItems: MODELS_MAX },
    expects: `a list of objects, 100 at most, each with model (a name, with * for any characters) and any of ${PER_MODEL_FIELDS.join(', ')}`,
    says: 'Other values for some models: the first entry that names the session’s model counts.',
  }),
  tokenCounting: budget(
    oneOf(
      'Who counts a request whose size is in doubt: this engine alone, or the provider of its model, where it can be asked.',
      'estimate',
      'provider',
    ),
  ),
  unknownWindow: budget({
    isValid: (value) => value === 'refuse' || (Number.isSafeInteger(value) && Number(value) > 0),
    schema: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'refuse' }] },
    expects: 'a whole number above 0, or refuse',
    says: 'The window to believe in where nobody knows the model’s; or no session at all.',
  }),
  keepBy: cut(oneOf('What the part that stays is measured in.', 'turns', 'tokens')),
  keepRecentTurns: cut(whole('The newest turns, which stay word for word.', 1)),
  keepRecentTokens: cut(
    whole('The newest tokens that stay, where keepBy is tokens; 0 keeps the newest atomic group alone.'),
  ),
  protection: cut(
    oneOf(
      'Whether what is protected shrinks where it alone exceeds the target, or the compaction is refused.',
      'yields',
      'strict',
    ),
  ),
  targetShare: size(share('A compaction aims at this share of its trigger.')),
  maxRemainingShare: size(share('A compaction must leave at most this share of what there was before.')),
  maxOutputTokens: size(whole('Tokens reserved for the answer, at most.')),
  maxOutputShare: size(share('The same as a share of the window; the smaller one counts.')),
  maxSummaryTokens: size(whole('Tokens of a summary, at most.', 1)),
  maxSummaryShare: size(share('The same as a share of the window; the smaller one counts.')),
  minOutputTokens: size(
    whole('Tokens of the shortest answer that a request is left with before anything is left out of it.', 1),
  ),
  minOutputShare: size(share('The same as a share of the window; the smaller one counts.')),
  stages: stages({
    ...listOf(
      'What runs, in this order, as far as it is needed.',
      `a list of ${STAGE_NAMES.join(', ')}, each once at most, one of drop-tool-outputs and summarize among them`,
      STAGE_NAMES,
    ),
  }),
  exemptTools: stages(
    listOf(
      'Tools whose results stay in requests until a summary covers them, whatever the stages do; compared without case.',
      'a list of names of tools, each once at most',
    ),
  ),
  maxResultTokens: stages(whole('offload-results: tokens of one result, at most.', 1)),
  maxResultTokensPerMessage: stages(
    whole('offload-results: tokens of all results of one message, at most.', 1),
  ),
  previewTokens: stages(whole('offload-results: tokens of what stays in view of a result, at most.')),
  viewAtShare: stages(share('snip and micro: share of the window that is kept before they begin.')),
  snipKeepSteps: stages(whole('snip: the newest steps, which stay, within a turn too.', 1)),
  microKeepResults: stages(whole('micro: the newest tool results, which stay.', 1)),
  pruneKeepTokens: stages(whole('prune: tokens of the newest tool outputs that stay.')),
  pruneMinGainTokens: stages(whole('prune: tokens to be gained, at least.')),
  pruneKeepTurns: stages(whole('prune: the newest turns, which are not looked at.', 1)),
  offloadExemptTools: stages(
    listOf(
      'offload-results: tools, beside exemptTools, whose results are not stored aside: those that read files, so that no agent reads the same again; compared without case.',
      'a list of names of tools, each once at most',
    ),
  ),
  offloadExemptMaxShare: stages(
    share(
      'offload-results: share of the window from which a result, or those of one message together, are stored aside although offloadExemptTools names the tool.',
    ),
  ),
  viewKeepShare: stages(
    share('snip and micro: share of the window, taken by the newest messages, that stays.'),
  ),
  snipKeepTurns: stages(whole('snip: the newest turns, which stay although no tool was called in them.', 1)),
  recall: stages(
    yesOrNo(
      'Whether requests carry the tool recall_history, by which the model reads back what they leave out.',
    ),
  ),
  toolOutputs: summary(
    oneOf('What becomes of tool outputs outside the protected turns.', 'summarized', 'dropped'),
  ),
  reasoning: summary(
    oneOf(
      'What becomes of reasoning outside the protected turns. summarize: the summarizer reads it when its turn is compacted. drop-when-compacted: it stays in requests until then, and no summarizer reads it. drop-beyond-protected: it leaves requests as soon as a compaction is due, and no summarizer reads it.',
      'summarize',
      'drop-when-compacted',
      'drop-beyond-protected',
    ),
  ),
  summarizer: summary({
    isValid: (value) => typeof value === 'string' && SUMMARIZER_NAME.test(value),
    schema: { type: 'string', pattern: SUMMARIZER_NAME.source },
    expects:
      'extractive, default, or the name of a summarizer: 64 letters, digits, dots, hyphens and underscores at most',
    says: 'What writes the summary: extractive calls no model, default is what the tenant or the process has configured.',
  }),
  summaryInput: summary(
    oneOf(
      'What a model is shown: a transcript, or the session’s own request with the task behind it, for the prompt cache.',
      'transcript',
      'prefix',
    ),
  ),
  hybrid: summary(
    yesOrNo(
      'Whether what a model has written is completed with facts that are taken from the log without one.',
    ),
  ),
  nativeCompaction: summary(
    yesOrNo('Whether the provider’s own compaction is asked for as well, and recorded beside the summary.'),
  ),
  unverifiedQuotes: summary(
    oneOf(
      'What becomes of a summary that quotes the user with words that are not in the log.',
      'flag',
      'reject',
    ),
  ),
  factList: summary(
    yesOrNo('Whether what a summary has lost, and the retained messages refer to, is appended to it.'),
  ),
  keepUserMessageTokens: summary(
    whole(
      'Tokens of the user’s messages that stay word for word behind a summary, the newest first, half of its room at most.',
    ),
  ),
  prompt: summary({
    isValid: (value) => typeof value === 'string' && PROMPT_NAME.test(value),
    schema: { type: 'string', pattern: PROMPT_NAME.source },
    expects: 'default, or a prompt of the tenant as NAME or NAME@VERSION',
    says: 'What summarizing models are told: default is what ships; a name without a version is its newest one.',
  }),
  reinject: summary(
    listOf(
      'What of the covered messages is given again behind a summary, in this order.',
      `a list of ${REINJECTABLES.join(', ')}, each once at most`,
      REINJECTABLES,
    ),
  ),
  reinjectFiles: summary(
    listOf(
      'reinject: paths of the files that are given again, with * for any characters.',
      'a list of paths, each once at most',
    ),
  ),
  maxReinjectTokens: summary(
    whole(
      'reinject: counted tokens of all that is given again, at most, and never above the target; 0 is nothing.',
    ),
  ),
  maxAttempts: failure(whole('Tries of one compaction before it is given up.', 1)),
  autoContinue: failure(
    yesOrNo(
      'Whether work that an automatic compaction has interrupted goes on with a message of this engine’s.',
    ),
  ),
  breakerFailures: failure(
    whole('Compactions that fail, or come to no progress, in a row before automatic ones stop.', 1),
  ),
  breakerCooldownTurns: failure(
    whole('Turns after which one automatic compaction is tried again; 0 is never.'),
  ),
  breakerCooldownMinutes: failure(
    whole('Minutes after which one automatic compaction is tried again; 0 is never.'),
  ),
  ladder: failure(
    oneOf(
      'What becomes of a request that no compaction makes fit: the error; the ladder; or the ladder, which then shortens other messages as well, the user’s too.',
      ...LADDER_POLICIES,
    ),
  ),
};
