export type { CommandExecutor } from './command-and-query.js';
export * from './commands/append-messages.js';
export * from './commands/attempts.js';
export * from './commands/check-budget.js';
export * from './commands/compactions.js';
export * from './commands/complete-turn.js';
export * from './commands/messages/append-conversation.js';
export type { MessageDraft } from './commands/messages/continuation.js';
export * from './commands/messages/report-usage.js';
export * from './commands/models.js';
export * from './commands/projections.js';
export * from './commands/protection/legal-holds.js';
export * from './commands/protection/set-retention.js';
export * from './commands/register-prompt.js';
export * from './commands/requests/append-and-compose.js';
export * from './commands/requests/collect-contributions.js';
export * from './commands/requests/compose-request.js';
export { ContextOverflowError } from './commands/requests/context-overflow.js';
export * from './commands/requests/report-edits.js';
export * from './commands/requests/report-overflow.js';
export { RequestComposer } from './commands/requests/request-composer.js';
export * from './commands/requests/request-counts.js';
export * from './commands/rotate-log-key.js';
export * from './commands/secrets.js';
export * from './commands/sessions/change-settings.js';
export * from './commands/sessions/close-session.js';
export * from './commands/sessions/defer-compactions.js';
export * from './commands/sessions/fork-session.js';
export * from './commands/sessions/open-child-session.js';
export * from './commands/sessions/open-session.js';
export * from './commands/sessions/pin-content.js';
export * from './commands/sessions/reset-session.js';
export * from './commands/start-compaction.js';
export * from './commands/tenants/api-keys.js';
export * from './commands/tenants/record-reads.js';
export * from './commands/tenants/register-tenant.js';
export * from './commands/tenants/tenant-settings.js';
export * from './commands/webhooks/deliveries.js';
export * from './commands/webhooks/webhooks.js';
export * from './compactions/active-runs.js';
export * from './compactions/compactor.js';
export * from './compactions/hooks/hook-calls.js';
export * from './compactions/run-compaction.js';
export * from './compactions/watch-idle.js';
export * from './erasures/decide-erasure.js';
export * from './erasures/erasure-guard.js';
export * from './erasures/erasure-runner.js';
export * from './erasures/ledger-store.js';
export * from './erasures/read-erasures.js';
export * from './erasures/request-erasure.js';
export * from './gateway/compose-for-client.js';
export { FailOpen } from './gateway/fail-open.js';
export * from './gateway/gateway.js';
export type { GatewayAnswer, GatewayCall, PassedCall, SessionWishes } from './gateway/gateway-call.js';
export { type HandlerParts, type RegisteredHandler, registeredHandlers } from './handlers.js';
export * from './imports/import-transcript.js';
export * from './imports/import-types.js';
export * from './imports/playback/record-compaction.js';
export * from './queries/audit.js';
export * from './queries/comparisons/diff-contexts.js';
export * from './queries/comparisons/what-if.js';
export * from './queries/explanations/explain-compaction.js';
export * from './queries/get-context.js';
export { ListMessages, ListMessagesHandler } from './queries/list-messages.js';
export * from './queries/models.js';
export {
  ReadOccupancy,
  ReadOccupancyHandler,
} from './queries/occupancy/read-occupancy.js';
export {
  ReadRetention,
  ReadRetentionHandler,
} from './queries/occupancy/read-retention.js';
export * from './queries/own-prompts.js';
export * from './queries/plan-compaction.js';
export * from './queries/proofs/export-proof.js';
export * from './queries/proofs/list-log-witnesses.js';
export * from './queries/proofs/verify-live.js';
export * from './queries/protection.js';
export * from './queries/provenance/trace-message.js';
export * from './queries/read-messages.js';
export * from './queries/read-session.js';
export {
  blockText,
  byteRange,
  type MessagePart,
  ReadMessage,
  ReadMessageHandler,
  type TextRange,
} from './queries/recall/read-message.js';
export { Recall, RecallHandler } from './queries/recall/recall.js';
export * from './queries/recall/search-messages.js';
export * from './queries/secrets.js';
export * from './queries/show-session.js';
export * from './queries/tenants.js';
export * from './queries/webhooks.js';
export { replaySession, type SessionReplay } from './replay/replay-session.js';
export * from './retention/held-back-erasures.js';
export * from './retention/retention-defaults.js';
export * from './retention/watch-retention.js';
export * from './sessions/await-outcome.js';
export * from './sessions/count-message.js';
export * from './sessions/readers/moment.js';
export * from './sessions/readers/read-tail.js';
export * from './sessions/request-scope.js';
export * from './sessions/session-ref.js';
export * from './sessions/session-store.js';
export * from './streams/event-hub.js';
export * from './streams/follow-log.js';
export * from './streams/stream-reader.js';
export * from './streams/streamed-event.js';
export * from './tenants/api-key.js';
export * from './tenants/key-access.js';
export * from './tenants/key-directory.js';
export * from './tenants/prompt-view.js';
export * from './tenants/tenant-models.js';
export * from './tenants/tenant-store.js';
export type { Tried } from './webhooks/deliver.js';
export * from './webhooks/delivery-view.js';
export * from './webhooks/run-webhooks.js';
export { WitnessRounds } from './witnesses/witness-rounds.js';
