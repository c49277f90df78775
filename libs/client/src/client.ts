import type { ImportResult, LoggedEvent, ProfileSource, StreamEventsQuery } from './generated/types.js';
import { Audit } from './resources/audit.js';
import { Compactions } from './resources/compactions.js';
import { Models } from './resources/models.js';
import { Profiles } from './resources/profiles.js';
import { Projections } from './resources/projections.js';
import { Retention } from './resources/retention.js';
import { Sessions } from './resources/sessions.js';
import { Summarizers } from './resources/summarizers.js';
import { Erasures } from './resources/tenants/erasures.js';
import { Keys } from './resources/tenants/keys.js';
import { Secrets } from './resources/tenants/secrets.js';
import { TransparencyLog } from './resources/transparency-log.js';
import { Webhooks } from './resources/webhooks.js';
import { type StreamOptions, serverSent } from './streams/sse.js';
import { path } from './transport/path.js';
import { answerIn, type CallOptions, type ClientOptions, Transport } from './transport/transport.js';

export type ImportOptions = CallOptions & {
  /** Name of the file, which becomes the ID of a session without one. */
  readonly name?: string;
  readonly profile?: ProfileSource;
  /** Tokens; by default that of the model. */
  readonly window?: number;
  /** By default that of the transcript. */
  readonly model?: string;
  /** Metadata of opened sessions; by default that of the transcript. */
  readonly agent?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Names of data subjects whose content all of the sessions are. */
  readonly subjects?: readonly string[];
};

/** Milliseconds: a long transcript is replayed turn by turn with its compactions. */
const IMPORT_MS = 3_600_000;

/** Events of a stream. */
export type StreamFilter = Omit<StreamEventsQuery, 'after' | 'follow'>;
/** An event with its log position. */
export type StreamedEvent = LoggedEvent & {
  /** Increasing with gaps; a string, since it exceeds safe integers. */
  readonly position: string;
  readonly session: string;
};

/**
 * Typed client of the Palimpsest API.
 *
 * Calls that fail temporarily are retried; every attempt of a write has the same idempotency key, so that it is executed once.
 * `signal` cancels a call with all its retries. Errors are {@link PalimpsestError}.
 */
export class PalimpsestClient {
  readonly sessions: Sessions;
  readonly compactions: Compactions;
  readonly profiles: Profiles;
  readonly models: Models;
  readonly audit: Audit;
  readonly keys: Keys;
  readonly secrets: Secrets;
  readonly erasures: Erasures;
  readonly retention: Retention;
  readonly projections: Projections;
  readonly summarizers: Summarizers;
  readonly webhooks: Webhooks;
  /** The transparency log of the tenant. */
  readonly log: TransparencyLog;
  private readonly http: Transport;

  /** @throws {TypeError} for a URL that is neither http: nor https:. */
  constructor(options: ClientOptions) {
    this.http = new Transport(options);
    this.sessions = new Sessions(this.http);
    this.compactions = new Compactions(this.http);
    this.profiles = new Profiles(this.http);
    this.models = new Models(this.http);
    this.log = new TransparencyLog(this.http);
    this.audit = new Audit(this.http);
    this.keys = new Keys(this.http);
    this.secrets = new Secrets(this.http);
    this.erasures = new Erasures(this.http);
    this.retention = new Retention(this.http);
    this.projections = new Projections(this.http);
    this.summarizers = new Summarizers(this.http);
    this.webhooks = new Webhooks(this.http);
  }

  /**
   * Streams the events of the tenant as they are recorded, without end. A broken connection is resumed after the last event. To
   * resume a later stream, pass the `position` of the last processed event as `lastEventId`.
   */
  async *stream(
    filter: StreamFilter = {},
    options: StreamOptions = {},
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    for await (const { data } of serverSent(this.http, filter, options)) yield answerIn<StreamedEvent>(data);
  }

  /**
   * Imports a transcript of any supported format and size; a repeated import adds only new messages.
   *
   * @param bytes returns the transcript from its start at each call, since a failed attempt starts over. In browsers, a `Blob`.
   */
  import(bytes: () => AsyncIterable<Uint8Array> | Blob, options: ImportOptions = {}): Promise<ImportResult> {
    const { name, profile, window, model, agent, project, labels = {}, subjects: subject } = options;
    const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const policy = typeof profile === 'object' ? JSON.stringify(profile) : profile;
    const content = {
      query: { name, profile: policy, window, model, agent, project, label, subject },
      bytes,
    };
    return this.http.send('POST', path`/v1/imports`, content, { timeoutMs: IMPORT_MS, ...options });
  }
}
