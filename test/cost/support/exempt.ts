import * as app from '@app/application';

/** Commands and queries without a cost case, with the reason: no dimension is under the caller's control. */
export const EXEMPT: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [app.ComposeForClient, 'the cases of the gateway, whose requests it writes'],
  [app.StartCompaction, 'the case of a compaction by the extractive summarizer'],
  [app.CompleteCompaction, 'the case of a compaction by the extractive summarizer'],
  [app.FailAttempt, 'decides on the same state as CancelCompaction, which has a case'],
  [app.FailCompaction, 'decides on the same state as CancelCompaction, which has a case'],
  [app.RecordAuditRead, 'appends one event at any revision; it reads nothing'],
  [
    app.RecordContentRead,
    'appends one event at any revision; the reads that it remembers are 10,000 at most',
  ],
  [app.SetRetention, 'decides on the same state as DeferCompactions, which has a case'],
  [app.RemoveRetention, 'decides on the same state as DeferCompactions, which has a case'],
  [app.PlaceLegalHold, 'decides on the same state as DeferCompactions; a session has 100 holds at most'],
  [app.ReleaseLegalHold, 'decides on the same state as DeferCompactions; a session has 100 holds at most'],
  [app.ShowProtection, 'reads the same state as ShowSession, which has a case'],
  [app.SetRetentionDefaults, 'decides on the same state as ConfigureSummarizers, which has a case'],
  [app.GetRetentionDefaults, 'reads the same state as GetSummarizers, which has a case'],
  [app.ListTenants, 'answers one page of rows, 1,000 at most, by their key'],
  [app.ListModels, 'a tenant describes 200 models at most'],
  [app.ShowModel, 'a tenant describes 200 models at most'],
  [app.ListSecrets, 'a tenant has 100 secrets at most'],
  [app.RetryProjection, 'looks up one stopped stream by its place; the projector goes on by itself'],
  [
    app.SkipProjection,
    'looks up one stopped stream by its place; its session is read as by the other commands',
  ],
]);

const CONSTANT = 'the answer does not depend on what is recorded';
const ROWS = 'one page of rows by an index; the work is PostgreSQL’s';

/** Routes without a command or query, with the kind of their work. */
export const ROUTES: ReadonlyMap<string, string> = new Map([
  ['GET asyncapi.json', CONSTANT],
  ['GET errors', CONSTANT],
  ['GET errors/:code', CONSTANT],
  ['GET health', CONSTANT],
  ['GET health/live', CONSTANT],
  ['GET health/ready', CONSTANT],
  ['GET metrics', CONSTANT],
  ['GET v1/profiles', CONSTANT],
  ['GET v1/profiles/:profile', CONSTANT],
  ['GET v1/prompts', CONSTANT],
  ['GET v1/whoami', CONSTANT],
  ['GET v1/sign-in', CONSTANT],
  ['POST v1/sign-in', CONSTANT],
  ['POST v1/sign-out', CONSTANT],
  ['GET v1/audit', ROWS],
  ['GET v1/audit/export', 'pages of rows by an index, one after the other'],
  ['GET v1/audit/reads', ROWS],
  ['GET v1/audit/totals', ROWS],
  ['GET v1/compactions', ROWS],
  ['GET v1/projections', ROWS],
  ['GET v1/projections/stopped', ROWS],
  ['GET v1/sessions', ROWS],
  ['GET v1/holds', ROWS],
  ['GET v1/usage', ROWS],
  ['GET v1/stream', 'pages of the log, one after the other'],
  ['POST v1/imports', 'the cases of transcripts'],
  ['POST gateway/anthropic/v1/messages', 'the cases of the gateway'],
  ['POST gateway/anthropic/v1/messages/count_tokens', 'the cases of the gateway'],
  ['POST gateway/openai/v1/chat/completions', 'the cases of the gateway'],
  ['POST gateway/openai/v1/responses', 'the cases of the gateway'],
  ['GET gateway/anthropic/v1/models', 'passed on to the provider'],
  ['GET gateway/anthropic/v1/models/:model', 'passed on to the provider'],
  ['GET gateway/openai/v1/models', 'passed on to the provider'],
  ['GET gateway/openai/v1/models/:model', 'passed on to the provider'],
]);
