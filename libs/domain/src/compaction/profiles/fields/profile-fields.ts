import type { Profile, StageName } from '../../profile.js';
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

/** Names that tenants give to their summarizers; they stand in events. */
const SUMMARIZER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const under =
  (theme: ProfileTheme) =>
  (values: Values): ProfileField => ({ theme, ...values });
const [name, budget, triggers, cut] = [under('name'), under('budget'), under('triggers'), under('cut')];
const [size, stages, summary, failure] = [under('size'), under('stages'), under('summary'), under('failure')];

/** Every field; one that is missing here does not compile. */
export const PROFILE_FIELDS: Readonly<Record<keyof Profile, ProfileField>> = {
  name: name(text('Its name.')),
  description: name(text('What it is for.')),
  mode: budget(
    oneOf('Whether a compaction starts by itself, or only on the user’s word.', 'automatic', 'authorized'),
  ),
  warnAt: budget(share('Share of the window at which the state becomes warning.')),
  requireAt: budget(share('Share of the window at which the state becomes critical.')),
  blockAt: budget(share('Share of the window at which the state becomes blocking.')),
  checkedAt: triggers(
    oneOf(
      'When the trigger is looked at: before every request, or only where no step, or no turn, is going on.',
      'request',
      'step',
      'turn',
    ),
  ),
  triggerBy: triggers(
    oneOf(
      'What pulls the trigger: triggerAt is reached, or the window less triggerReserve, or the usable budget, is exceeded.',
      'share',
      'reserve',
      'usable-budget',
    ),
  ),
  triggerAt: triggers(share('Share of the window at which an automatic compaction is asked for.')),
  triggerReserve: triggers(
    whole('Tokens of the window to be left over, where triggerBy is reserve; half of the window at most.'),
  ),
  explicitMidTurn: triggers(
    oneOf('What becomes of a compaction that somebody asks for while a turn is going on.', 'run', 'refuse'),
  ),
  idleAfterMinutes: triggers(
    whole('Minutes without an event after which an idle session is compacted; 0 is never.'),
  ),
  idleAt: triggers(share('Share of the window from which an idle session is compacted.')),
  providerManagement: triggers(
    oneOf('Whether the provider’s own context management is on as well.', 'none', 'configured'),
  ),
  tokenCounting: budget(
    oneOf(
      'Who counts a request whose size is in doubt: this engine alone, or the provider of its model, where it can be asked.',
      'estimate',
      'provider',
    ),
  ),
  unknownWindow: budget({
    isValid: (value) => value === 'refuse' || (Number.isSafeInteger(value) && Number(value) > 0),
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
  gainShare: size(share('A compaction must leave at most this share of what there was before.')),
  outputCap: size(whole('Tokens reserved for the answer, at most.')),
  outputShare: size(share('The same as a share of the window; the smaller one counts.')),
  summaryTokensMax: size(whole('Tokens of a summary, at most.', 1)),
  summaryShare: size(share('The same as a share of the window; the smaller one counts.')),
  stages: stages({
    ...listOf(
      'What runs, in this order, as far as it is needed.',
      `a list of ${STAGE_NAMES.join(', ')}, each once at most, one of drop-tool-outputs and summarize among them`,
      STAGE_NAMES,
    ),
  }),
  exemptTools: stages(
    listOf('Tools whose results no stage touches.', 'a list of names of tools, each once at most'),
  ),
  resultTokensMax: stages(whole('offload-results: tokens of one result, at most.', 1)),
  resultsPerMessageMax: stages(whole('offload-results: tokens of all results of one message, at most.', 1)),
  previewTokens: stages(whole('offload-results: tokens of what stays in view of a result, at most.')),
  viewAt: stages(share('snip and micro: share of the window that is kept before they begin.')),
  snipKeepSteps: stages(whole('snip: the newest steps, which stay.', 1)),
  microKeepResults: stages(whole('micro: the newest tool results, which stay.', 1)),
  pruneKeepTokens: stages(whole('prune: tokens of the newest tool outputs that stay.')),
  pruneGainMin: stages(whole('prune: tokens to be gained, at least.')),
  pruneKeepTurns: stages(whole('prune: the newest turns, which are not looked at.', 1)),
  dropBeyondProtected: stages(
    yesOrNo('Whether reasoning beyond the protected turns is taken out, for whole thinking loops.'),
  ),
  recall: stages(
    yesOrNo(
      'Whether requests carry the tool recall_history, by which the model reads back what they leave out.',
    ),
  ),
  toolOutputs: summary(
    oneOf('What becomes of tool outputs outside the protected turns.', 'summarized', 'dropped'),
  ),
  reasoning: summary(
    oneOf('What becomes of reasoning outside the protected turns.', 'summarized', 'dropped'),
  ),
  summarizer: summary({
    isValid: (value) => typeof value === 'string' && SUMMARIZER_NAME.test(value),
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
  unfoundedQuotes: summary(
    oneOf(
      'What becomes of a summary that quotes the user with words that are not in the log.',
      'flag',
      'reject',
    ),
  ),
  factList: summary(
    yesOrNo('Whether what a summary has lost, and the retained messages refer to, is appended to it.'),
  ),
  userMessagesTokens: summary(
    whole(
      'Tokens of the user’s messages that stay word for word behind a summary, the newest first, half of its room at most.',
    ),
  ),
  attemptsMax: failure(whole('Tries of one compaction before it is given up.', 1)),
  autoContinue: failure(
    yesOrNo(
      'Whether work that an automatic compaction has interrupted goes on with a message of this engine’s.',
    ),
  ),
  breakerAfter: failure(
    whole('Compactions that fail, or come to no progress, in a row before automatic ones stop.', 1),
  ),
  breakerHoldTurns: failure(whole('Turns after which one automatic compaction is tried again; 0 is never.')),
  breakerHoldMinutes: failure(
    whole('Minutes after which one automatic compaction is tried again; 0 is never.'),
  ),
};
