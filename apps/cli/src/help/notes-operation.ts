import type { CommandNotes } from './command-notes.js';

const KEY =
  '`tenant`, `key` (with --key-file `keyFile`), `keyId`, `role`, `permissions`, `prefix`, `label`, `expiresAt`';
const WEBHOOK = '`webhookId`, `url`, `label`, `types`, `sessions`, `content`, `registeredAt`';
const DELIVERY =
  '`delivery`, `session`, `revision`, `type`, `state`, `attempts`, `nextAt`, `lastOutcome`, `lastTriedAt`';
const ERASURE =
  '`erasure`, `state`, `target`, `reason`, `requestedBy`, `requestedAt`, `approvedBy`, `deferred`, `receipt` (`keys`, `tenantKey`, `counts`, `durationMs`, `completedAt`; null until it is completed)';
const SUMMARIZERS = '`default`, `summarizers`';
const USERS = 'array of `login`, `fullName`, `groups`, `disabled`, `updatedAt`';

/** Notes on commands for tenants and operators, by command. */
export const OPERATION_NOTES: Readonly<Record<string, CommandNotes>> = {
  'tenants list': {
    details: 'Over HTTP for operators and admins of the tenant `default`.',
    json: 'array of `tenant`, `name`, `registeredAt`, `registeredBy`, `limits`',
    guide: 'tenants.md',
  },
  'tenants show': { json: 'fields of `tenants list`' },
  'tenants add': {
    details: 'Over HTTP for admins of the tenant `default`.',
    json: `${KEY}`,
    examples: ['palimpsest tenants add acme --name "Acme Inc." --key-file acme.key'],
    guide: 'tenants.md',
  },
  'keys list': {
    json: 'array of `keyId`, `role`, `permissions`, `prefix`, `label`, `expiresAt`, `state` (`active`, `revoked`, `expired`), `issuedAt`, `issuedBy`, `replacedBy`, `rotation`, `revocation`, `lastUsedAt`',
  },
  'keys add': {
    details: 'The key is printed once, alone on stdout, and is not stored.',
    json: KEY,
    examples: ['palimpsest keys add --role agent --label ci --expires 2027-01-01'],
    guide: 'tenants.md',
  },
  'keys rotate': {
    details: 'The new key has the role, permissions and label of the old one.',
    json: `${KEY}, \`replaces\`, \`validUntil\``,
  },
  'keys revoke': { details: 'Takes effect at once, in every process.', json: '`keyId`, `state`' },
  'limits show': {
    json: '`requestsPerSecond`, `requestsPerMinute`, `tokensPerMinute`, `concurrentCompactions`',
    guide: 'tenants.md#limits',
  },
  'limits change': {
    details: 'Limits that are not named stay.',
    json: 'as for `limits show`',
    examples: ['palimpsest limits change --requests-per-minute 600'],
  },
  erase: {
    details:
      'Destroys the keys of the content: nothing brings it back. With --tenant and neither --subject nor --session, all content of that tenant.',
    json: ERASURE,
    examples: ['palimpsest erase --subject customer-42 --reason "request of 24 November, case 1881"'],
    guide: 'erasure.md',
  },
  'erasures list': { json: `array of ${ERASURE}`, guide: 'erasure.md' },
  'erasures show': { json: ERASURE, guide: 'erasure.md' },
  'erasures approve': { json: ERASURE, guide: 'erasure.md#erase' },
  'erasures withdraw': { json: ERASURE, guide: 'erasure.md#erase' },
  'erasures policy': { json: '`people`', guide: 'erasure.md#erase' },
  backup: {
    details:
      'Works on the data folder or the servers, also while the service runs. A repeated run adds new data and resumes an interrupted one.',
    json: '`folder`, `position`, `events`, `added`, `blobs`, `keys` (the file, or `null`)',
    examples: ['palimpsest backup /backups/palimpsest --keys /elsewhere/palimpsest.keys'],
    guide: 'operating.md#backup',
  },
  restore: {
    details: 'Checks every file before the first write, and compares the restored log with the backup.',
    json: '`events`, `sessions`, `blobs`, `keys` (rows), `completedAt`, `laterErasures`, `laterProtection` (holds and retention periods), `stoppedStreams` (that cannot be read)',
    examples: ['palimpsest restore /backups/palimpsest --keys /elsewhere/palimpsest.keys --data new-folder'],
    guide: 'operating.md#restore',
  },
  'retention show': {
    json: '`session`, `period` (`mode`, `until`, `days`; or `null`), `holds` (`matter`, `reason`, `by`, `at`), `barrier` (the first fact that forbids an erasure, or `null`)',
    guide: 'retention.md',
  },
  'retention set': {
    details: 'Periods in the mode compliance can only be lengthened.',
    json: '`mode`, `until`',
    examples: ['palimpsest retention set SESSION --mode compliance --until 2033-12-31'],
    guide: 'retention.md#retention-periods',
  },
  'retention remove': { json: '`removed` (`false` if there was none)' },
  'retention defaults': {
    details: 'With an option, replaces all defaults. Sessions that are open already are not concerned.',
    json: '`default`, `profiles`',
    examples: ['palimpsest retention defaults --default compliance:2555 --profile minimal=governance:30'],
    guide: 'retention.md#defaults',
  },
  'holds place': {
    json: '`matter`, `reason`, `by`, `at`',
    examples: ['palimpsest holds place SESSION case-2026-17 --reason "litigation is expected"'],
    guide: 'retention.md#legal-holds',
  },
  'holds release': { json: '`holds` that remain' },
  'holds list': { json: 'lines with `session`, `matter`, `reason`, `by`, `at`' },
  'secrets list': {
    json: 'array of `name`, `createdAt`, `changedAt`, `lastUsedAt`',
    guide: 'tenants.md#secrets',
  },
  'secrets set': {
    json: '`name`, `createdAt`, `changedAt`, `lastUsedAt`',
    examples: ['palimpsest secrets set model-key key.txt'],
    guide: 'tenants.md#secrets',
  },
  'secrets remove': { json: '`name`, `state`' },
  'summarizers list': { json: SUMMARIZERS, guide: 'summarizers.md#a-tenants-summarizers' },
  'summarizers set': {
    details:
      'Each link is tried after the one before it: `extractive`, or `PROVIDER[:MODEL]#SECRET`. Without a model, the session’s model summarizes.',
    json: SUMMARIZERS,
    examples: ['palimpsest summarizers set careful anthropic:claude-haiku-4-5#my-key extractive --default'],
    guide: 'summarizers.md#a-tenants-summarizers',
  },
  'summarizers remove': { json: SUMMARIZERS },
  'webhooks list': {
    details:
      'Status: `failing` with a dead letter, `retrying` after a failed attempt, `delivering` otherwise, `idle` before the first delivery. Pending and dead deliveries are counted up to 100.',
    json: `array of ${WEBHOOK}, \`status\`, \`pending\`, \`dead\`, \`lastDelivery\` (fields of \`webhooks deliveries\`, or \`null\`)`,
    guide: 'streaming.md#webhooks',
  },
  'webhooks show': { json: WEBHOOK },
  'webhooks add': {
    json: `${WEBHOOK}, \`secret\``,
    examples: [
      'palimpsest webhooks add https://example.com/hook --type CompactionCompleted CompactionFailed',
    ],
    guide: 'streaming.md#webhooks',
  },
  'webhooks change': { json: WEBHOOK },
  'webhooks remove': { json: '`webhookId`, `state`' },
  'webhooks rotate': { json: '`webhookId`, `secret`, `validUntil`' },
  'webhooks test': { json: '`delivered`, `outcome`' },
  'webhooks deliveries': {
    json: `array of ${DELIVERY}`,
    examples: ['palimpsest webhooks deliveries WEBHOOK --state dead'],
    guide: 'streaming.md#webhooks',
  },
  'webhooks replay': { json: DELIVERY },
  'webhooks skip': { json: DELIVERY },
  'projections list': {
    json: 'array of `projection`, `position` (`null` before the first event), `events`, `updatedAt`, `stoppedStreams`',
  },
  'projections rebuild': { json: 'array of `projection`, `events`, `rows`', guide: 'operating.md' },
  'projections stopped': {
    json: 'array of `projection`, `stream`, `revision`, `position`, `type`, `at`, `error`, `retryRequested`',
    guide: 'operating.md#stopped-streams',
  },
  'projections retry': { json: '`projection`, `streams` (number of streams)' },
  'projections skip': { json: '`projection`, `position`, `stream`, `revision`' },
  'eventstore start': {
    details:
      'Serves the event log of the data folder until SIGINT or SIGTERM, and starts nothing else. Prints a line that begins with the connection string.',
    json: '`url`, `port`, `tls`, `data`, `pid`, `generatedPasswords` (if any)',
    examples: ['palimpsest eventstore start --port 2113 --tls'],
    guide: 'event-log.md#embedded-server',
  },
  'eventstore users list': { json: USERS },
  'eventstore users add': {
    details: 'Without a password file or PALIMPSEST_USER_PASSWORD a password is generated and printed once.',
    json: `${USERS}, \`generatedPassword\` (if any)`,
  },
  'eventstore users change': { details: 'Settings that are not named stay.', json: USERS },
  'eventstore users enable': { json: USERS },
  'eventstore users disable': { json: USERS },
  'eventstore users remove': { json: `${USERS} (remaining users)` },
  'eventstore verify': {
    json: '`isIntact`, `events`, `entries`, `position`, `problems`',
    guide: 'event-log.md#damage',
  },
  'eventstore copy': {
    details: 'After an interrupt or a crash, the same command continues.',
    json: '`events` (in source and target), `copied` (by this run), `alreadyThere`, `filled`, `all` and `streams` (SHA-256 in log order, and independent of the order of streams), `omitted` (`system`, `users`, `projections`, `subscriptions`)',
    guide: 'event-log.md#moving-to-another-server',
  },
};
