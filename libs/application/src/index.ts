export * from './commands/append-messages.js';
export * from './commands/cancel-compaction.js';
export * from './commands/check-budget.js';
export type { CommandExecutor } from './commands/command-executor.js';
export * from './commands/complete-compaction.js';
export * from './commands/complete-turn.js';
export * from './commands/fail-attempt.js';
export * from './commands/fail-compaction.js';
export * from './commands/messages/append-conversation.js';
export type { MessageDraft } from './commands/messages/continuation.js';
export * from './commands/messages/report-usage.js';
export * from './commands/models/describe-model.js';
export * from './commands/models/forget-model.js';
export * from './commands/projections/retry-projection.js';
export * from './commands/projections/skip-projection.js';
export * from './commands/prompts/register-prompt.js';
export * from './commands/protection/legal-holds.js';
export * from './commands/protection/set-retention.js';
export * from './commands/protection/set-retention-defaults.js';
export * from './commands/request-compaction.js';
export type { BudgetBanner } from './commands/requests/budget-banner.js';
export * from './commands/requests/compose-request.js';
export { ContextOverflowError } from './commands/requests/context-overflow.js';
export * from './commands/requests/contributions/collect-contributions.js';
export * from './commands/requests/counts/request-counts.js';
export * from './commands/requests/report-edits.js';
export * from './commands/requests/report-overflow.js';
export * from './commands/revert-compaction.js';
export * from './commands/secrets/put-secret.js';
export * from './commands/secrets/remove-secret.js';
export * from './commands/sessions/change-settings.js';
export * from './commands/sessions/close-session.js';
export * from './commands/sessions/defer-compactions.js';
export * from './commands/sessions/fork-session.js';
export * from './commands/sessions/open-child-session.js';
export * from './commands/sessions/open-session.js';
export * from './commands/sessions/pin-content.js';
export * from './commands/sessions/reset-session.js';
export * from './commands/start-compaction.js';
export * from './commands/tenants/change-limits.js';
export * from './commands/tenants/configure-summarizers.js';
export * from './commands/tenants/issue-api-key.js';
export * from './commands/tenants/record-audit-read.js';
export * from './commands/tenants/record-content-read.js';
export * from './commands/tenants/register-tenant.js';
export * from './commands/tenants/revoke-api-key.js';
export * from './commands/tenants/rotate-api-key.js';
export * from './commands/webhooks/change-webhook.js';
export * from './commands/webhooks/register-webhook.js';
export * from './commands/webhooks/remove-webhook.js';
export * from './commands/webhooks/replay-delivery.js';
export * from './commands/webhooks/rotate-webhook-secret.js';
export * from './commands/webhooks/skip-delivery.js';
export * from './commands/webhooks/test-webhook.js';
export * from './compactions/active-runs.js';
export * from './compactions/compactor.js';
export * from './compactions/hooks/hook-calls.js';
export * from './compactions/idle/watch-idle.js';
export * from './compactions/run-compaction.js';
export * from './erasures/decide-erasure.js';
export * from './erasures/erasure-guard.js';
export * from './erasures/erasure-runner.js';
export * from './erasures/erasure-view.js';
export * from './erasures/ledger-store.js';
export * from './erasures/read-erasures.js';
export * from './erasures/request-erasure.js';
export * from './gateway/compose-for-client.js';
export { FailOpen } from './gateway/fail-open.js';
export * from './gateway/gateway.js';
export type { GatewayAnswer, GatewayCall, PassedCall, SessionWishes } from './gateway/gateway-call.js';
export * from './imports/import-transcript.js';
export * from './imports/import-types.js';
export * from './imports/playback/record-compaction.js';
export * from './queries/audit/audit-batches.js';
export * from './queries/audit/audit-lines.js';
export * from './queries/comparisons/diff-contexts.js';
export * from './queries/comparisons/profiles.js';
export * from './queries/comparisons/what-if.js';
export * from './queries/explanations/explain-compaction.js';
export * from './queries/explanations/explanation.js';
export * from './queries/get-context.js';
export { ListMessages, ListMessagesHandler, type MessageWindow } from './queries/list-messages.js';
export * from './queries/models/list-models.js';
export * from './queries/models/show-model.js';
export {
  type OccupancySeries,
  ReadOccupancy,
  ReadOccupancyHandler,
} from './queries/occupancy/read-occupancy.js';
export {
  ReadRetention,
  ReadRetentionHandler,
  type RetentionMap,
} from './queries/occupancy/read-retention.js';
export * from './queries/outcome-view.js';
export * from './queries/plan-compaction.js';
export * from './queries/plan-view.js';
export * from './queries/prompts/own-prompts.js';
export * from './queries/proofs/export-proof.js';
export * from './queries/protection.js';
export * from './queries/provenance/provenance.js';
export * from './queries/provenance/trace-message.js';
export * from './queries/read-messages.js';
export * from './queries/read-session.js';
export {
  blockText,
  byteRange,
  type MessagePart,
  ReadMessage,
  ReadMessageHandler,
  type StoredMessage,
  type TextRange,
} from './queries/recall/read-message.js';
export { Recall, RecallHandler } from './queries/recall/recall.js';
export * from './queries/recall/search-messages.js';
export * from './queries/secrets/list-secrets.js';
export * from './queries/show-session.js';
export * from './queries/tenants/get-limits.js';
export * from './queries/tenants/get-summarizers.js';
export * from './queries/tenants/list-api-keys.js';
export * from './queries/tenants/list-tenants.js';
export * from './queries/webhooks/list-deliveries.js';
export * from './queries/webhooks/list-webhooks.js';
export { replaySession, type SessionReplay } from './replay/replay-session.js';
export type { Recalled } from './requests/recalled.js';
export * from './retention/guard-erasures.js';
export * from './retention/held-back-erasures.js';
export * from './retention/retention-defaults.js';
export * from './retention/watch-retention.js';
export * from './sessions/await-outcome.js';
export * from './sessions/count-message.js';
export * from './sessions/readers/read-tail.js';
export * from './sessions/requests/request-scope.js';
export * from './sessions/session-ref.js';
export * from './sessions/session-store.js';
export * from './streams/event-hub.js';
export * from './streams/follow-log.js';
export * from './streams/stream-reader.js';
export * from './streams/streamed-event.js';
export * from './tenants/api-key.js';
export * from './tenants/key-access.js';
export * from './tenants/key-directory.js';
export * from './tenants/model-view.js';
export * from './tenants/prompt-view.js';
export * from './tenants/tenant-models.js';
export * from './tenants/tenant-store.js';
export type { Tried } from './webhooks/deliver.js';
export * from './webhooks/delivery-view.js';
export * from './webhooks/run-webhooks.js';
