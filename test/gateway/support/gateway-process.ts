import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { readModels } from '@app/adapters/models-file';
import { httpUpstream } from '@app/adapters/upstream-http';
import {
  type CommandExecutor,
  exportedMessages,
  FailOpen,
  Gateway,
  Recall,
  RecallHandler,
  runCompactor,
  streamOf,
} from '@app/application';
import type { SessionEvent } from '@app/domain';
import { Actor, IsoTime, SessionId, TenantId } from '@app/kernel';
import type { Access, Conversations, Summarizer } from '@app/ports';
import {
  type Application,
  type MemoryLog,
  memoryConversations,
  memoryDigests,
  openApplication,
  openMemoryLog,
  quarterCounter,
  recordedEvents,
  ScriptedSummarizer,
} from '@app/testing';
import { serving } from './serving.js';

const TENANT = TenantId('acme');
/** The API key of this service. */
export const KEY = 'pal_a_key_for_tests';
const access: Access = {
  authenticate: async (key) =>
    key === KEY
      ? { tenant: TENANT, actor: Actor('client'), role: 'admin', permissions: ['content:read'] }
      : undefined,
  watch: () => () => undefined,
};
const clock = { now: () => IsoTime(new Date()) };
const catalog = readModels({});
const models = { catalogFor: () => Promise.resolve(catalog) };

/** State that processes share, and that survives a restart. */
export type GatewayStore = MemoryLog & { readonly conversations: Conversations };
export const openStore = (): GatewayStore => ({ ...openMemoryLog(), conversations: memoryConversations() });

export type GatewayOptions = {
  readonly store?: GatewayStore;
  /** Base URLs in the order of fallback; a suffix `#secret=NAME` names the secret with the key. */
  readonly anthropic?: readonly string[];
  readonly openai?: readonly string[];
  /** The tenant's secrets by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The summarizer, in this process. */
  readonly summarizer?: Summarizer;
  /** Milliseconds after which a log or database that does not answer is unavailable; by default requests wait for it. */
  readonly failOpenMs?: number;
};

/**
 * The gateway's endpoints and their dependencies in this process, on an in-memory log; clients and providers are
 * real.
 */
export class GatewayProcess {
  private constructor(
    readonly url: string,
    private readonly application: Application,
    /** Failures to record. */
    readonly problems: readonly unknown[],
    /** The outages of requests that were sent unchanged. */
    readonly unrecorded: readonly string[],
    private readonly end: () => Promise<void>,
  ) {}

  static async start(options: GatewayOptions): Promise<GatewayProcess> {
    const { store = openStore(), summarizer = new ScriptedSummarizer() } = options;
    const application = openApplication({ ...store, models });
    const problems: unknown[] = [];
    const unrecorded: string[] = [];
    const onError = (error: unknown): void => void problems.push(error);
    const app = await serving(gatewayOf(application, store, options, onError, unrecorded), access);
    const stop = new AbortController();
    const { subscriptions } = application;
    const runner = openApplication({ ...store, models }).runner('w1', summarizer);
    const shares = { atOnce: 4, held: 32, limitOf: async () => 2 };
    const working = runCompactor({ subscriptions, runner, onError, ...shares }, stop.signal);
    return new GatewayProcess(await app.getUrl(), application, problems, unrecorded, async () => {
      await app.close();
      stop.abort();
      await working;
    });
  }

  /** The base URL for Anthropic's clients. */
  get anthropic(): string {
    return `${this.url}/gateway/anthropic`;
  }
  get openai(): string {
    return `${this.url}/gateway/openai/v1`;
  }

  events(session: string): Promise<readonly SessionEvent[]> {
    return recordedEvents(this.application.log, refOf(session));
  }

  async types(session: string): Promise<readonly SessionEvent['type'][]> {
    return (await this.events(session)).map(({ type }) => type);
  }

  /** Returns the types of a session's events as soon as `type` is among them. */
  async recorded(session: string, type: SessionEvent['type']): Promise<readonly SessionEvent['type'][]> {
    for (;;) {
      const types = await this.types(session);
      if (types.includes(type)) return types;
      await yieldToLoop();
    }
  }

  /** Returns a session's messages as an export has them. */
  async exported(session: string): Promise<readonly { readonly role: string; readonly content: unknown }[]> {
    const messages = [];
    const { log } = this.application;
    for await (const { role, content } of exportedMessages(log.readForwards(streamOf(refOf(session)))))
      messages.push({ role, content });
    return messages;
  }

  get commands(): CommandExecutor {
    return this.application.commands;
  }

  close(): Promise<void> {
    return this.end();
  }
}

export const refOf = (session: string) => ({ tenant: TENANT, session: SessionId(session) });

/** Without a read model messages are searched for in the log. */
const NO_INDEX = { messageRevision: async () => ({ revision: undefined, upTo: undefined }) };

const gatewayOf = (
  { sessions, log, commands }: Application,
  { conversations, subscriptions }: GatewayStore,
  { anthropic = [], openai = [], secrets = {}, failOpenMs }: GatewayOptions,
  onProblem: (error: unknown) => void,
  unrecorded: string[],
): Gateway => {
  const serversAt = (addresses: readonly string[]) =>
    addresses.map((address) => {
      const [url = '', secret] = address.split('#secret=');
      return { url, secret };
    });
  const servers = { anthropic: serversAt(anthropic), openai: serversAt(openai) };
  return new Gateway({
    ...{ sessions, log, commands, clock, conversations, onProblem },
    ...{ counter: quarterCounter, models, keyed: memoryDigests },
    recall: (ref, input) =>
      new RecallHandler({ sessions, log, index: NO_INDEX }).execute(new Recall(ref, input)),
    upstream: httpUpstream({ servers, readSecret: async (_, name) => secrets[name] }),
    ...(failOpenMs !== undefined && {
      failOpen: new FailOpen({
        afterMs: failOpenMs,
        probes: [
          { code: 'event-store-unavailable', ask: () => subscriptions.head() },
          { code: 'postgres-unavailable', ask: () => conversations.named(TENANT, []) },
        ],
        onProblem,
        onUnrecorded: (outage) => unrecorded.push(outage),
      }),
    }),
  });
};
