import { Compactions } from './resources/compactions.js';
import { Profiles } from './resources/profiles.js';
import { type ProfileSource, Sessions } from './resources/sessions.js';
import { path } from './transport/path.js';
import { type CallOptions, type ClientOptions, Transport } from './transport/transport.js';
import type { ImportResult } from './types/talking.js';

export type ImportOptions = CallOptions & {
  /** Of the file: a session that has no id of its own is named after it. */
  readonly name?: string;
  readonly profile?: ProfileSource;
  /** Tokens; the model's where it is not given. */
  readonly window?: number;
  /** The transcript's where it is not given. */
  readonly model?: string;
};

/** A long transcript is played in turn by turn, compactions included. */
const IMPORT_MS = 3_600_000;

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
  private readonly http: Transport;

  /** @throws {TypeError} for a URL that is none of http: or https:. */
  constructor(options: ClientOptions) {
    this.http = new Transport(options);
    this.sessions = new Sessions(this.http);
    this.compactions = new Compactions(this.http);
    this.profiles = new Profiles(this.http);
  }

  /**
   * Plays a transcript in, of any known format and size; again, only what is new of it.
   *
   * @param bytes gives the transcript anew each time that it is called: an attempt that has failed begins again.
   */
  import(bytes: () => AsyncIterable<Uint8Array>, options: ImportOptions = {}): Promise<ImportResult> {
    const { name, profile, window, model } = options;
    const policy = typeof profile === 'object' ? JSON.stringify(profile) : profile;
    const content = { query: { name, profile: policy, window, model }, bytes };
    return this.http.send('POST', path`/v1/imports`, content, { timeoutMs: IMPORT_MS, ...options });
  }
}
