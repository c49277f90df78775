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
import {
  type Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  type Query,
  QueryHandler,
} from '@nestjs/cqrs';
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
type Name = keyof HandlerParts;

/** What a constructor is given: the named parts in order, or all of them as one object. */
type Given<Names extends readonly Name[]> = Names extends readonly []
  ? [HandlerParts]
  : { -readonly [At in keyof Names]: HandlerParts[Names[At]] };
type Class<Instance> = new (...given: never[]) => Instance;
/** A class whose constructor takes these parts. */
type MadeOf<Handler extends Class<unknown>, Names extends readonly Name[]> = Handler &
  (Given<Names> extends ConstructorParameters<Handler> ? unknown : never);

/** A class of handlers with its class of messages. */
export type RegisteredHandler = {
  readonly message: Class<object>;
  readonly handler: Class<object>;
  readonly make: (parts: HandlerParts) => object;
};
const REGISTERED: RegisteredHandler[] = [];

/** Returns the handlers of all commands and queries. */
export const registeredHandlers = (): readonly RegisteredHandler[] => REGISTERED;

/** Makes a class the handler of a command; its constructor is given the named parts, or all as one object without names. */
export const HandlesCommand =
  <Message extends Command<unknown>, const Names extends readonly Name[]>(
    message: Class<Message>,
    ...names: Names
  ) =>
  <Handler extends Class<ICommandHandler<Message>>>(handler: MadeOf<Handler, Names>): void => {
    CommandHandler(message)(handler);
    register(message, handler, names);
  };

/** Makes a class the handler of a query, like {@link HandlesCommand}. */
export const HandlesQuery =
  <Message extends Query<unknown>, const Names extends readonly Name[]>(
    message: Class<Message>,
    ...names: Names
  ) =>
  <Handler extends Class<IQueryHandler<Message>>>(handler: MadeOf<Handler, Names>): void => {
    QueryHandler(message)(handler);
    register(message, handler, names);
  };

const register = (message: Class<object>, handler: Class<object>, names: readonly Name[]): void => {
  const make = (parts: HandlerParts): object => {
    const given = names.length === 0 ? [parts] : names.map((name) => parts[name]);
    // The decorators hold the names to the parameters of the constructor.
    return new handler(...(given as never[]));
  };
  REGISTERED.push({ message, handler, make });
};
