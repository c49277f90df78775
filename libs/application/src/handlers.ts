import type { LimitCeilings, ModelCatalog } from '@app/domain';
import type { SessionId, TenantId } from '@app/kernel';
import type {
  Clock,
  ErasableKeys,
  EventLog,
  KeyedDigests,
  KeyUses,
  ModelRegistry,
  Projector,
  ReadModels,
  SecretStore,
  StoredEvents,
  Summarizer,
  SummarizerChoice,
  TenantLog,
  TokenCounter,
  TransparencyLogs,
  WebhookDeliveries,
  WebhookSecrets,
  WebhookSender,
} from '@app/ports';
import type { Command, ICommandHandler, IQueryHandler, Query } from '@nestjs/cqrs';
import type { CommandExecutor } from './command-and-query.js';
import type { RequestComposer } from './commands/requests/request-composer.js';
import type { ErasureRunner } from './erasures/erasure-runner.js';
import type { LedgerStore } from './erasures/ledger-store.js';
import type { RetentionDefaults } from './retention/retention-defaults.js';
import type { OutcomeWaiter } from './sessions/await-outcome.js';
import type { SessionStore } from './sessions/session-store.js';
import type { TenantStore } from './tenants/tenant-store.js';

/** The parts that handlers of commands and queries are made of, by name. */
export type HandlerParts = {
  readonly sessions: SessionStore;
  readonly tenants: TenantStore;
  readonly commands: CommandExecutor;
  readonly composer: RequestComposer;
  readonly outcomes: OutcomeWaiter;
  readonly retention: RetentionDefaults;
  /** Erasures that retention and legal holds defer. */
  readonly erasures: { retry(tenant: TenantId, released?: ReadonlySet<SessionId>): Promise<void> };
  readonly ledgers: LedgerStore;
  readonly runner: ErasureRunner;
  readonly ceilings: LimitCeilings;
  /** Version of the service. */
  readonly engine: { readonly version: string };
  readonly clock: Clock;
  readonly counter: TokenCounter;
  readonly deliveries: WebhookDeliveries;
  /** Installed models, without descriptions of tenants. */
  readonly installed: ModelCatalog;
  /** Finds the revision of a message. */
  readonly index: ReadModels;
  readonly keyed: KeyedDigests;
  readonly keys: ErasableKeys;
  readonly log: EventLog;
  readonly logs: TransparencyLogs;
  readonly models: ModelRegistry;
  /** The summarizer that needs no model. */
  readonly facts: Summarizer;
  readonly projector: Projector;
  readonly readModels: ReadModels;
  readonly secrets: SecretStore;
  readonly sender: WebhookSender;
  readonly stored: StoredEvents;
  readonly summarizers: SummarizerChoice;
  readonly tenantLog: TenantLog;
  readonly uses: KeyUses;
  readonly webhookSecrets: WebhookSecrets;
};

/** A handler of one class of commands or queries; `Keys` names the parts that it uses, `More` declares further ones. */
export abstract class Handler<Message, Keys extends keyof HandlerParts = never, More = unknown> {
  constructor(protected readonly parts: Pick<HandlerParts, Keys> & More) {}

  abstract execute(message: Message): Promise<unknown>;
}

type Class<Instance> = new (...given: never[]) => Instance;
/** A class whose constructor takes the parts, or some of them. */
type MadeOfParts<Instance> = new (parts: HandlerParts) => Instance;

/** A class of handlers with its class of messages. */
export type RegisteredHandler = {
  readonly kind: 'command' | 'query';
  readonly message: Class<object>;
  readonly handler: Class<object>;
  readonly make: (parts: HandlerParts) => object;
};
const REGISTERED: RegisteredHandler[] = [];

/** Returns the handlers of all commands and queries. */
export const registeredHandlers = (): readonly RegisteredHandler[] => REGISTERED;

/** Makes a class the handler of a command. */
export const HandlesCommand =
  <Message extends Command<unknown>>(message: Class<Message>) =>
  (handler: MadeOfParts<ICommandHandler<Message>>): void => {
    register('command', message, handler);
  };

/** Makes a class the handler of a query. */
export const HandlesQuery =
  <Message extends Query<unknown>>(message: Class<Message>) =>
  (handler: MadeOfParts<IQueryHandler<Message>>): void => {
    register('query', message, handler);
  };

const register = (
  kind: RegisteredHandler['kind'],
  message: Class<object>,
  handler: MadeOfParts<object>,
): void => {
  REGISTERED.push({ kind, message, handler, make: (parts) => new handler(parts) });
};
