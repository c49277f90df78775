import type { OpenEventStore } from '@app/adapters/event-store-db';
import type { ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { ReplaceableBox } from '@app/adapters/secret-box';
import type { ErasureGuard, EventHub } from '@app/application';
import type { ModelCatalog } from '@app/domain';
import type {
  BlobStore,
  Clock,
  CompactionHook,
  ContentKeys,
  ContextProvider,
  ErasableKeys,
  ErasurePlace,
  EventLog,
  IdempotencyKeys,
  KeyedDigests,
  KeyUses,
  ModelRegistry,
  OwnWitness,
  Projector,
  ReadModels,
  SecretStore,
  StoredEvents,
  Subscriptions,
  Summarizer,
  SummarizerChoice,
  TokenCounter,
  TransparencyLogs,
  TransparencyRun,
  Upstream,
  WebhookDeliveries,
  WebhookSecrets,
  WebhookSender,
  WitnessRun,
} from '@app/ports';
import type { Closers } from './closers.js';
import type { AppConfig } from './config.js';
import type { KeyReload } from './modules/secrets/key-reload.js';
import type { JoinedServers } from './servers/joined-servers.js';
import type { Servers } from './servers/servers.js';
import type { Metrics } from './telemetry/metrics.js';

/** Tokens of parts shared by modules that are not classes; {@link Ports} has their types. */
export const APP_CONFIG = Symbol('AppConfig');
export const CLOSERS = Symbol('Closers');
export const ON_PROBLEM = Symbol('OnProblem');
export const METRICS = Symbol('Metrics');
export const SERVERS = Symbol('Servers');
/** Servers of the parent process; `undefined` if this process has none. */
export const JOINED_SERVERS = Symbol('JoinedServers');
export const DATABASE = Symbol('ReadModelDatabase');
export const BLOB_STORE = Symbol('BlobStore');
export const CONTENT_KEYS = Symbol('ContentKeys');
/** The holds and retention periods that forbid an erasure. */
export const ERASURE_GUARD = Symbol('ErasureGuard');
/** Every place that can hold content in clear. */
export const ERASURE_PLACES = Symbol('ErasurePlaces');
export const EVENT_STORE = Symbol('OpenEventStore');
export const EVENT_LOG = Symbol('EventLog');
export const TENANT_LOG = Symbol('TenantLog');
export const STORED_EVENTS = Symbol('StoredEvents');
export const TRANSPARENCY_LOGS = Symbol('TransparencyLogs');
export const TRANSPARENCY_RUN = Symbol('TransparencyRun');
export const WITNESS_RUN = Symbol('WitnessRun');
export const OWN_WITNESS = Symbol('OwnWitness');
export const SUBSCRIPTIONS = Symbol('Subscriptions');
export const CLOCK = Symbol('Clock');
export const CONTEXT_PROVIDERS = Symbol('ContextProviders');
/** Installed models, without descriptions of tenants. */
export const INSTALLED_MODELS = Symbol('InstalledModels');
export const MODEL_REGISTRY = Symbol('ModelRegistry');
export const TOKEN_COUNTER = Symbol('TokenCounter');
export const SUMMARIZERS = Symbol('SummarizerChoice');
/** Summarizer without model calls. */
export const MODELLESS_SUMMARIZER = Symbol('ModellessSummarizer');
export const READ_MODELS = Symbol('ReadModels');
export const IDEMPOTENCY_KEYS = Symbol('IdempotencyKeys');
export const PROJECTOR = Symbol('Projector');
export const HOOKS_IN_PROCESS = Symbol('HooksInProcess');
export const HOOKS = Symbol('Hooks');
export const KEY_USES = Symbol('KeyUses');
export const WORKER = Symbol('Worker');
export const EVENT_HUB = Symbol('EventHub');
export const SECRET_BOX = Symbol('ReplaceableBox');
/** Decrypts a key of the installation that a key store has encrypted. */
export const UNWRAP_KEY = Symbol('UnwrapKey');
/** Exchanges the keys of the box when their file changes. */
export const KEY_RELOAD = Symbol('KeyReload');
export const SECRET_STORE = Symbol('SecretStore');
export const UPSTREAM = Symbol('Upstream');
export const WEBHOOK_SENDER = Symbol('WebhookSender');
export const WEBHOOK_SECRETS = Symbol('WebhookSecrets');
export const WEBHOOK_DELIVERIES = Symbol('WebhookDeliveries');
export const WEBHOOK_RUN = Symbol('WebhookRun');

/** Returns a handler of errors that the process survives, for the place where they occur. */
export type OnProblem = (place: string) => (error: unknown) => void;

/** Sends deliveries to webhooks until the signal aborts. */
type WebhookRun = (signal: AbortSignal) => Promise<void>;

/** Background work: runs and requests compactions, projects the log, sends to webhooks. */
export type Worker = {
  /** Allows the compactor to start, which dispatches commands. */
  handlersRegistered(): void;
  /** Rejects when a part ends unexpectedly. */
  readonly failure: Promise<never>;
  /** Waits until the hooks have been called for every compaction that this process has completed. */
  settled(): Promise<void>;
};

/** Types of the parts by symbol. */
export type Ports = {
  readonly [APP_CONFIG]: AppConfig;
  readonly [CLOSERS]: Closers;
  readonly [ON_PROBLEM]: OnProblem;
  readonly [METRICS]: Metrics;
  readonly [SERVERS]: Servers;
  readonly [JOINED_SERVERS]: JoinedServers | undefined;
  readonly [DATABASE]: ReadModelDatabase;
  readonly [BLOB_STORE]: BlobStore;
  readonly [CONTENT_KEYS]: ContentKeys & ErasableKeys & KeyedDigests & { rewrap(): Promise<void> };
  readonly [ERASURE_GUARD]: ErasureGuard;
  readonly [ERASURE_PLACES]: readonly ErasurePlace[];
  readonly [EVENT_STORE]: OpenEventStore;
  readonly [EVENT_LOG]: EventLog;
  readonly [TENANT_LOG]: OpenEventStore['tenantLog'];
  readonly [STORED_EVENTS]: StoredEvents;
  readonly [TRANSPARENCY_LOGS]: TransparencyLogs;
  readonly [TRANSPARENCY_RUN]: TransparencyRun;
  readonly [WITNESS_RUN]: WitnessRun;
  readonly [OWN_WITNESS]: OwnWitness;
  readonly [SUBSCRIPTIONS]: Subscriptions;
  readonly [CLOCK]: Clock;
  readonly [CONTEXT_PROVIDERS]: readonly ContextProvider[];
  readonly [INSTALLED_MODELS]: ModelCatalog;
  readonly [MODEL_REGISTRY]: ModelRegistry;
  readonly [TOKEN_COUNTER]: TokenCounter;
  readonly [SUMMARIZERS]: SummarizerChoice;
  readonly [MODELLESS_SUMMARIZER]: Summarizer;
  readonly [READ_MODELS]: ReadModels;
  readonly [IDEMPOTENCY_KEYS]: IdempotencyKeys;
  readonly [PROJECTOR]: Projector;
  readonly [HOOKS_IN_PROCESS]: readonly CompactionHook[];
  readonly [HOOKS]: readonly CompactionHook[];
  readonly [KEY_USES]: KeyUses;
  readonly [WORKER]: Worker;
  readonly [EVENT_HUB]: EventHub;
  readonly [SECRET_BOX]: ReplaceableBox;
  readonly [UNWRAP_KEY]: (wrapped: string) => Promise<string>;
  readonly [KEY_RELOAD]: KeyReload;
  readonly [SECRET_STORE]: SecretStore;
  readonly [UPSTREAM]: Upstream;
  readonly [WEBHOOK_SENDER]: WebhookSender;
  readonly [WEBHOOK_SECRETS]: WebhookSecrets;
  readonly [WEBHOOK_DELIVERIES]: WebhookDeliveries;
  readonly [WEBHOOK_RUN]: WebhookRun;
};
