import type { IdempotencyKeys } from '@app/ports';

/** What the modules of the API ask for by name. */
export const OPERATIONS = Symbol('Operations');
export const READ_MODELS = Symbol('ReadModels');
export const IMPORTER = Symbol('TranscriptImporter');
export const OUTCOMES = Symbol('OutcomeWaiter');
/** Leaves of an event what an auditor sees of it. */
export const FACTS_OF = Symbol('FactsOf');
export const EVENT_HUB = Symbol('EventHub');
export const GATEWAY = Symbol('Gateway');
/** The profile of sessions that clients of the gateway begin without naming one. */
export const GATEWAY_PROFILE = Symbol('GatewayProfile');
/** Whether such sessions have the recall tool, where neither client nor profile says. */
export const GATEWAY_RECALL = Symbol('GatewayRecall');
export const STREAM_PACE = Symbol('StreamPace');

/** By which requests are carried out once. `leaseMs`: what a holder who is gone holds is free after that. */
export type IdempotencyOptions = { readonly keys: IdempotencyKeys; readonly leaseMs: number };
export const IDEMPOTENCY = Symbol('IdempotencyOptions');
