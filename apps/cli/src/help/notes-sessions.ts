import type { CommandNotes } from './command-notes.js';

/** Notes on commands for sessions and their requests, by command. */
export const SESSION_NOTES: Readonly<Record<string, CommandNotes>> = {
  demo: {
    details:
      'Imports the sample session with a window of 32,000 tokens and shows where each result can be seen.',
    json: 'fields of an imported session, `context` (`tokens`, `window`, `state`), `original` (messages in the log), `audit` (newest eight rows), `proof` (outcome of the verification)',
  },
  serve: {
    details:
      'Runs until SIGINT or SIGTERM, with embedded servers for every server without a URL. Prints its address and the file of the first API key. Takes all settings of .env.example; options win.',
    examples: ['palimpsest serve --port 8420', 'palimpsest serve --roles compactor,projector'],
    guide: 'operating.md',
  },
  run: {
    details:
      'Sets the address of the gateway for this process only, passes the exit code and signals through, and reports the savings on stderr. Without --url it uses the service of the data folder, or starts one that ends with the last run. The agent gets a key of its own, revoked at the end. Transcripts of gemini are imported after the run instead.',
    json: 'nothing: stdout is the agent’s',
    examples: ['palimpsest run claude', 'palimpsest run codex --recall -- exec "Fix the tests"'],
    guide: 'run.md',
  },
  doctor: {
    details:
      'Changes nothing, and sends no key to a provider. Exit code 1 if a check fails; warnings concern a part only.',
    json: 'array of `check`, `status` (`ok`, `warn`, `fail`), `found`, `advice` (or `null`)',
    guide: 'run.md#doctor',
  },
  mcp: {
    details:
      'Speaks the Model Context Protocol on stdin and stdout until stdin ends. Offers the tools recall, search, context, explain and sessions, and sessions and messages as resources. A service has the same at /mcp.',
    json: 'nothing: the protocol is on stdout',
    examples: ['palimpsest mcp --session main', 'palimpsest mcp --url http://127.0.0.1:8420'],
    guide: 'mcp.md',
  },
  sessions: {
    json: 'array of `session`, `profile`, `model`, `title`, `agent`, `project`, `labels`, `turns`, `messages`, `compactions`, `occupancy` (billed tokens), `window` (0 is unlimited), `state`, `revision`, `openedAt`, `lastActivityAt`',
    examples: [
      'palimpsest sessions --project shop --state critical',
      'palimpsest sessions --sort=-occupancy --limit 10',
    ],
    guide: 'managing-sessions.md#titles-and-labels',
  },
  open: {
    details: 'Repeating the same command changes nothing.',
    json: '`session`, `model`, `window`, `windowSource`, `parent` (or `null`)',
    examples: ['palimpsest open main --model claude-opus-5-5 --system @system.md --label team=a'],
    guide: 'managing-sessions.md#messages',
  },
  append: {
    details:
      'Reads messages from a file, or from the standard input without one or with -, and checks the budget. Messages at the end of the session already are not appended twice.',
    json: '`session`, `appended`, `known` (messages that the session had already), `messages` (of the whole session), `turn`, `occupancy`, `window`, `state`, `compaction` (`compactionId` and `outcome`, or `null`)',
    examples: ['palimpsest append main messages.json --complete-turn'],
    guide: 'managing-sessions.md#messages',
  },
  'complete-turn': {
    details: 'Runs a compaction that waited for the end of the turn, and waits for its outcome.',
    json: '`session`, `turn`, `completed` (`false` without a turn in progress), `compaction` (as for `append`)',
    guide: 'compaction.md#waiting',
  },
  import: {
    details:
      'Imports turn by turn. Files in folders and files that patterns match are imported one by one; a failed file does not stop the others. Importing a file twice changes nothing.',
    json: 'a line for each session: `session`, `format`, `messages`, `turns`, `tokens`, `compactions`, `toolCalls`, `skippedLines`, `skipped` (`line`, `reason`; at most 1,000). The list of --discover: `number`, `format`, `id`, `project`, `file`, `size` (bytes), `startedAt`, `changedAt`',
    examples: [
      'palimpsest import ~/.claude/projects/*/*.jsonl --window 200k',
      'palimpsest import --discover',
    ],
    guide: 'importing.md',
  },
  export: {
    details: 'Prints messages oldest first, including the ones that compactions replaced.',
    json: 'always JSON lines: `id`, `revision`, `role`, `synthetic` (`continuation` or `restated`; absent on messages of the caller), `content`',
    examples: [
      'palimpsest export SESSION --format anthropic',
      'palimpsest export SESSION --proof -o session.palimpsest',
      'palimpsest export SESSION --html',
    ],
    guide: 'proofs.md',
  },
  settings: {
    details: 'Changes apply from the next request on. Without options, shows the settings.',
    json: '`session`, `profile` (every field), `window`, `model`, `title`, `project`, `labels`, `changed` (names of changed settings)',
    examples: ['palimpsest settings SESSION --window 200k --set trigger=0.8'],
    guide: 'managing-sessions.md#settings',
  },
  pin: {
    details: 'Every request carries pinned content, and no compaction changes it.',
    json: 'array of all pins: `id`, `kind`, `tokens`',
    examples: ['palimpsest pin SESSION "No new dependencies." --id rule'],
    guide: 'managing-sessions.md#pins',
  },
  unpin: { json: 'as for `pin`' },
  fork: {
    json: '`session`, `from` (`sessionId`, `revision`), `messages`, `occupancy`',
    examples: ['palimpsest fork SESSION --at 120 --as attempt-2'],
    guide: 'managing-sessions.md#fork',
  },
  reset: {
    details: 'Keeps the current input of the user. Without --confirm nothing is cleared.',
    json: '`session`, `reset` (`false` without anything to clear), `compactionId`, `clearedMessages`, `countedBefore`, `countedAfter`, `billedBefore`, `billedAfter`',
    guide: 'managing-sessions.md#reset',
  },
  close: {
    details: 'A closed session can be read, exported and forked, but not continued.',
    json: '`session`, `closed`',
  },
  context: {
    json: '`format`, `request`, `requestId`, `digestMatches`, `body`, `systemPrompt`, `tools`, `notes`, `violations`, `revision`, `tokens`, `window`, `state`, `pivot`, `retainedFrom`, `retention`',
    examples: [
      'palimpsest context SESSION --as-of 120',
      'palimpsest context SESSION --request req-12-0f3ac5d1e2b4',
    ],
    guide: 'composing.md',
  },
  compose: {
    details:
      'Records the request with its digest. A refusal is recorded too and ends with exit code 1. A session at `warning` or above is noted on stderr.',
    json: '`outcome` (`composed` or `refused`) and the fields of the event `RequestComposed` or `RequestRefused`; with a composed request also `banner` and `request`',
    examples: ['palimpsest compose SESSION --format openai-chat --context todo=@todo.md'],
    guide: 'composing.md',
  },
  'report-usage': {
    json: '`session`, `recorded` (`false` for a second bill of one request), `requestId`, `countsFor` (`occupancy`, or `cost` alone), `occupancy` (billed tokens), `window`, `state`',
    examples: ['palimpsest report-usage SESSION --usage input=1200,cacheRead=800,output=90'],
    guide: 'models.md#bills',
  },
  'report-overflow': {
    details: 'Makes room if the request was too large.',
    json: '`session`, `outcome` (`compacted`, `ladder` or `not-an-overflow`), `compactionId` after a compaction',
    guide: 'composing.md#overflow',
  },
  'report-edits': {
    details: 'The ID of the answer is recorded too, so that an answer is recorded once.',
    json: '`session`, `edited` and `duplicateCompaction` (fields of `ProviderContextEdited` and `CompactionDuplicated`, or `null`)',
    guide: 'compaction.md#context-management-of-the-provider',
  },
};
