import { Audit } from './resources/audit.js';
import { Compactions } from './resources/compactions.js';
import type { ProfileSource } from './resources/managed-sessions.js';
import { Models } from './resources/models.js';
import { Profiles } from './resources/profiles.js';
import { Projections } from './resources/projections.js';
import { Sessions } from './resources/sessions.js';
import { Summarizers } from './resources/summarizers.js';
import { Keys } from './resources/tenants/keys.js';
import { Secrets } from './resources/tenants/secrets.js';
import { Webhooks } from './resources/webhooks.js';
import { type StreamOptions, serverSent } from './streams/sse.js';
import { path } from './transport/path.js';
import { type CallOptions, type ClientOptions, Transport } from './transport/transport.js';
import type { EventType } from './types/event-type.js';
import type { ImportResult } from './types/messages.js';
import type { LoggedEvent } from './types/sessions.js';

export type ImportOptions = CallOptions & {
  /** Of the file: a session that has no id of its own is named after it. */
  readonly name?: string;
  readonly profile?: ProfileSource;
  /** Tokens; the model's where it is not given. */
  readonly window?: number;
  /** The transcript's where it is not given. */
  readonly model?: string;
  /** Of sessions that the import opens: the transcript's where they are not given. */
  readonly agent?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
};

/** A long transcript is played in turn by turn, compactions included. */
const IMPORT_MS = 3_600_000;

export type StreamFilter = {
  /** Of these sessions alone. */
  readonly session?: string | readonly string[];
  /** Of these types alone. */
  readonly type?: EventType | readonly EventType[];
  /** Where to begin, where no `lastEventId` is given: `now` is meant where it is not said. */
  readonly from?: 'start' | 'now';
  /** `full`: with what people and models wrote, which keys with the permission `content:read` may see. */
  readonly content?: 'none' | 'full';
};
/** An event with its place in the whole log. */
export type StreamedEvent = LoggedEvent & {
  /** Rises, with gaps; a number larger than JSON's, so a string. */
  readonly position: string;
  readonly session: string;
};

const streamedIn = (data: string): StreamedEvent => JSON.parse(data);

/**
 * The API of a Palimpsest, typed.
 *
 * Calls that fail for the time being are made again: every write under one idempotency key, so that it is carried out
 * once. `signal` cancels a call with all its retries. Errors are {@link PalimpsestError}.
 */
export class PalimpsestClient {
  readonly sessions: Sessions;
  readonly compactions: Compactions;
  readonly profiles: Profiles;
  readonly models: Models;
  readonly audit: Audit;
  readonly keys: Keys;
  readonly secrets: Secrets;
  readonly projections: Projections;
  readonly summarizers: Summarizers;
  readonly webhooks: Webhooks;
  private readonly http: Transport;

  /** @throws {TypeError} for a URL that is none of http: or https:. */
  constructor(options: ClientOptions) {
    this.http = new Transport(options);
    this.sessions = new Sessions(this.http);
    this.compactions = new Compactions(this.http);
    this.profiles = new Profiles(this.http);
    this.models = new Models(this.http);
    this.audit = new Audit(this.http);
    this.keys = new Keys(this.http);
    this.secrets = new Secrets(this.http);
    this.projections = new Projections(this.http);
    this.summarizers = new Summarizers(this.http);
    this.webhooks = new Webhooks(this.http);
  }

  /**
   * Events of the tenant as they are recorded, without an end: a connection that breaks is followed by one that goes
   * on behind the last event. Whoever begins again gives `lastEventId`, the `position` of the last that was dealt with.
   */
  async *stream(
    filter: StreamFilter = {},
    options: StreamOptions = {},
  ): AsyncGenerator<StreamedEvent, void, undefined> {
    for await (const { data } of serverSent(this.http, filter, options)) yield streamedIn(data);
  }

  /**
   * Plays a transcript in, of any known format and size; again, only what is new of it.
   *
   * @param bytes gives the transcript anew each time that it is called: an attempt that has failed begins again.
   */
  import(bytes: () => AsyncIterable<Uint8Array>, options: ImportOptions = {}): Promise<ImportResult> {
    const { name, profile, window, model, agent, project, labels = {} } = options;
    const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const policy = typeof profile === 'object' ? JSON.stringify(profile) : profile;
    const content = { query: { name, profile: policy, window, model, agent, project, label }, bytes };
    return this.http.send('POST', path`/v1/imports`, content, { timeoutMs: IMPORT_MS, ...options });
  }
}
