import type { CommandNotes } from './command-notes.js';

const PROFILES_JSON = '`name`, `mode`, `stages`, `description`';
const NO_SERVER = 'Needs no server.';

/** Notes on commands for compactions and the audit, by command. */
export const COMPACTION_NOTES: Readonly<Record<string, CommandNotes>> = {
  compact: {
    details:
      'Waits for the outcome. A failed compaction ends with exit code 1, a skipped one with 0. With several profiles --dry-run prints the result of `what-if`.',
    json: '`plan` (`null` with a `reason` without one); after a run also `outcome` (`completed`, `failed`, `skipped`, `cancelled` or `deferred`), `compactionId`, and by outcome `trigger`, `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`, `retention`, `summary`, `attempts`, `error`, `reason`, `by`',
    examples: [
      'palimpsest compact SESSION --dry-run',
      'palimpsest compact SESSION --instructions "Keep all file names."',
    ],
    guide: 'compaction.md',
  },
  'what-if': {
    details: 'Records nothing.',
    json: '`session`, `tokens`, `window`, `state`, `inFlight`, `outcomes`',
    guide: 'audit.md#what-if',
  },
  revert: {
    details: 'Refused once the next turn has begun, and for a compaction that is not the newest.',
    json: '`session`, `compactionId`, `restored` (the compaction in force again, or `null`), `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`',
    guide: 'managing-sessions.md#undo',
  },
  defer: {
    json: '`session`, `until`',
    examples: ['palimpsest defer SESSION --until turn-end --reason "deployment in progress"'],
    guide: 'compaction.md#waiting',
  },
  release: {
    details: 'Runs a compaction that was deferred, and waits for its outcome.',
    json: '`session`, `released` (`false` if nothing was deferred), `compaction` (as for `append`)',
    guide: 'compaction.md#waiting',
  },
  'profiles list': { details: NO_SERVER, json: `array of ${PROFILES_JSON}`, guide: 'compaction.md#profiles' },
  'profiles show': {
    details: `\`*\` marks values that differ from \`core\`. ${NO_SERVER}`,
    json: '`profile` and `fields`: array of `field`, `value`, `theme`, `description`, `expects`, `isDefault`',
    examples: ['palimpsest profiles show my-profile.json'],
    guide: 'compaction.md#a-profile-of-your-own',
  },
  'prompts shipped': {
    details: NO_SERVER,
    json: '`version` (of all prompts) and `prompts`: array of `name`, `version`, with --text also `text`',
    guide: 'summarizers.md#prompts',
  },
  'prompts list': {
    json: '`prompts`: array of `name`, `version`, `hash`, `lengths`, `registeredBy`, `registeredAt`',
    guide: 'summarizers.md#a-tenants-prompts',
  },
  'prompts show': {
    details: 'Without a version, the newest.',
    json: 'fields of `prompts list`, and `texts`',
  },
  'prompts add': {
    details: 'Registering the newest version again changes nothing.',
    json: 'fields of `prompts list`',
    examples: ['palimpsest prompts add firm --system firm.md'],
    guide: 'summarizers.md#a-tenants-prompts',
  },
  'models list': {
    details: 'Prices are US dollars for a million tokens of input and of output.',
    json: 'array of `id`, `vendor`, `aliases`, `window`, `inputMax`, `outputMax`, `tokenizer`, `lifecycle`, `prices`, `evidence`, `origin`',
    guide: 'models.md',
  },
  'models show': { json: 'fields of `models list`, and `seller` and `rules`' },
  'models refresh': {
    details: `Writes windows, limits and lifecycles to models.json in the data folder; processes read it when they start. ${NO_SERVER}`,
    json: '`path` and `models` (IDs that were written)',
  },
  extract: {
    details:
      'Reads JSON lines `{id, budget, messages}` from the standard input and answers each by a line `{id, summary}`. Needs no model, session or server.',
    guide: 'extract.md',
  },
  audit: {
    details: '--json is --format json. A note on stderr says when a limit is reached.',
    json: 'array of `position`, `session`, `revision`, `type`, `recordedAt`, `actor`, `correlationId`, `compactionId`, `trigger`, `outcome`, `profile`, `model`, `payload`',
    examples: [
      'palimpsest audit --session SESSION --type CompactionCompleted',
      'palimpsest audit --since 2026-11-21 --format csv',
    ],
    guide: 'audit.md',
  },
  explain: {
    details: 'Explains resets and forks too.',
    json: '`session`, `compactionId`, `kind`; of a compaction `outcome`, `why`, `plan`, `turns`, `attempts`, `lateResults`, `verified`, `covered`, `previous`, `droppedOutputs`',
    guide: 'audit.md#explain-a-compaction',
  },
  diff: {
    json: '`session`, `a`, `b`, `summaryChanged`, `messages`, `droppedOutputs`, `pins`',
    examples: ['palimpsest diff SESSION 120 180'],
    guide: 'audit.md#diff',
  },
  provenance: {
    details:
      'Shows whether a message is in the context in full, behind a summary, or not at all. Takes IDs of pins too.',
    json: '`session`, `message`, `revision`, `status` and the fields of that status',
    guide: 'audit.md#provenance',
  },
  message: {
    details: 'Compactions do not change it. --line and --byte print a part of one block.',
    json: '`session`, `id`, `revision`, `recordedAt`, `role`, `countedTokens`, `content`, `block`, `part`',
    examples: ['palimpsest message SESSION m7 --block 0 --line 100 --lines 50'],
    guide: 'recall.md',
  },
  search: {
    details: 'Finds the words in original messages, also behind summaries and in the source of a fork.',
    json: '`matches` (array of `session`, `message`, `revision`, `recordedAt`, `role`, `block`, `excerpt`), `searched` (messages), `before` (where to continue, or `null`)',
    examples: ['palimpsest search SESSION "connection refused"'],
    guide: 'recall.md',
  },
  events: {
    details: 'Prints oldest first, with all content.',
    json: 'always JSON lines: `revision`, `type`, `id`, `recordedAt`, `actor`, `correlationId`, `causationId` (if any), `data`',
    guide: 'event-log.md#types',
  },
  reads: {
    json: 'JSON lines: `position`, `recordedAt`, `actor`, `kind`, `endpoint`, `session`, `revisions` (`from`, `to`, or `null`), `filters`, `rows`, `reason`',
    guide: 'audit.md#reads',
  },
  verify: {
    details:
      'Needs no service, no network and no secret. Recomputes the hash of every event, follows proofs and signatures, and composes the requests again. --live works on the installation, or with --url on a running service: every event must have its leaf in a signed log, and every row must be as the events make it.',
    json: '`outcome` (`valid`, `invalid`, `incomplete`, `unknown-key`, `malformed`), `steps` (`step`, `status`, `detail`), `faults`, `manifest`, `head`, `witnesses`, `missingWitnesses`, `quorum` (`none`, `met`, `not-met`), `trust`; with --live the answer of `POST /v1/log/verification`',
    examples: [
      'palimpsest verify session.palimpsest --policy trusted.policy',
      'palimpsest verify session.palimpsest --remember heads.json',
      'palimpsest verify --page verify.html',
      'palimpsest verify --live --remember heads.json',
    ],
    guide: 'proofs.md',
  },
  'log witnesses': {
    details:
      'A witness confirms that the log shows everyone the same tree. They are the setting PALIMPSEST_WITNESSES; a witness that fails delays nothing, and is asked again after up to a minute.',
    json: '`keys` (array of vkeys), `size`, `quorum`, `witnessedSize`, `witnesses` (`name`, `key`, `url`, `size`, `cosignedAt`, `problem`, `failingSince`)',
    guide: 'proofs.md#witnesses',
  },
  'log rotate-key': {
    details:
      'An entry of the log names the new key, and the old key signs it: verifiers that trust the old key follow. Prints the new key as a line of a policy.',
    json: '`keys` (array of vkeys)',
    guide: 'proofs.md',
  },
  usage: {
    details:
      'One row for each group and source, then the sums of each source. Costs in CSV are billionths of a US dollar.',
    json: 'the answer of `GET /v1/usage`',
    examples: [
      'palimpsest usage --by model --since 2026-11-01',
      'palimpsest usage --by customer --project shop',
    ],
    guide: 'audit.md#usage-and-savings',
  },
};
