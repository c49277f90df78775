/** The ports by which modules know each other. */
export const APP_CONFIG = Symbol('AppConfig');
export const CLOSERS = Symbol('Closers');
export const ON_PROBLEM = Symbol('OnProblem');
export const METRICS = Symbol('Metrics');
export const SERVERS = Symbol('Servers');
export const DATABASE = Symbol('ReadModelDatabase');
export const BLOB_STORE = Symbol('BlobStore');
export const EVENT_STORE = Symbol('OpenEventStore');
export const CLOCK = Symbol('Clock');
export const CONTEXT_PROVIDERS = Symbol('ContextProviders');
/** The models of this installation, before any tenant has a word. */
export const INSTALLED_MODELS = Symbol('InstalledModels');
export const MODEL_REGISTRY = Symbol('ModelRegistry');
export const TOKEN_COUNTER = Symbol('TokenCounter');
/** Who summarizes, by name. */
export const SUMMARIZERS = Symbol('SummarizerChoice');
/** The summarizer that calls no model, whoever the others are. */
export const MODELLESS_SUMMARIZER = Symbol('ModellessSummarizer');
export const READ_MODELS = Symbol('ReadModels');
export const IDEMPOTENCY_KEYS = Symbol('IdempotencyKeys');
export const PROJECTOR = Symbol('Projector');
export const HOOKS_IN_PROCESS = Symbol('HooksInProcess');
export const HOOKS = Symbol('Hooks');
export const KEY_USES = Symbol('KeyUses');
export const WORKER = Symbol('Worker');
export const EVENT_HUB = Symbol('EventHub');
export const SECRET_BOX = Symbol('SecretBox');
export const SECRET_STORE = Symbol('SecretStore');
export const UPSTREAM = Symbol('Upstream');
export const WEBHOOK_SENDER = Symbol('WebhookSender');
export const WEBHOOK_SECRETS = Symbol('WebhookSecrets');
export const WEBHOOK_DELIVERIES = Symbol('WebhookDeliveries');
export const WEBHOOK_RUN = Symbol('WebhookRun');
