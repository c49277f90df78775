export * from './access.port.js';
export * from './audit/audit.js';
export * from './audit/audit-reads.js';
export * from './audit/compaction-search.js';
export type {
  CostTotal,
  UsageGroup,
  UsageQuery,
  UsageSource,
  UsageTotals,
} from './audit/usage.js';
export { USAGE_GROUPS } from './audit/usage.js';
export * from './blob-store.port.js';
export * from './clock.port.js';
export * from './compaction-hooks.port.js';
export * from './content-keys.port.js';
export * from './context-provider.port.js';
export * from './erasable-keys.port.js';
export * from './erasure-place.port.js';
export * from './event-log.port.js';
export * from './gateway/conversations.port.js';
export * from './gateway/upstream.port.js';
export * from './keyed-digests.port.js';
export * from './models/model-registry.port.js';
export * from './models/model-source.port.js';
export * from './models/token-counter.port.js';
export type * from './occupancy.js';
export * from './protection.js';
export * from './read-models.port.js';
export * from './secrets/secret-box.port.js';
export * from './secrets/secret-store.port.js';
export * from './service/idempotency-keys.port.js';
export * from './session-list.js';
export * from './sha256.js';
export * from './subscriptions.port.js';
export * from './summarizer/model-options.js';
export * from './summarizer/provider-fault.js';
export * from './summarizer/summarizer.port.js';
export * from './summarizer/summarizer-choice.port.js';
export * from './summarizer/summarizer-error.js';
export * from './tenants/key-records.js';
export * from './tenants/tenant-list.js';
export * from './transparency/stored-events.port.js';
export * from './transparency/transparency-log.port.js';
export * from './transparency/witnesses.port.js';
export * from './webhooks/webhook-records.port.js';
export * from './webhooks/webhook-sender.port.js';
