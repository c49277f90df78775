import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';

/** A secret without its value. */
export type NamedSecret = {
  readonly name: string;
  readonly createdAt: string;
  /** Time of the last change of its value. */
  readonly changedAt: string;
  /** Precise to the minute. */
  readonly lastUsedAt: string | null;
};

/** Secrets that the service uses for the tenant, for its admins. */
export class Secrets {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<{ readonly secrets: readonly NamedSecret[] }> {
    return this.http.send('GET', path`/v1/secrets`, {}, options);
  }

  /** Stores a secret, replacing one of the same name; its value is never returned. */
  put(name: string, value: string, options?: CallOptions): Promise<NamedSecret> {
    return this.http.send('PUT', path`/v1/secrets/${name}`, { body: { value } }, options);
  }

  remove(name: string, options?: CallOptions): Promise<{ readonly name: string; readonly state: 'removed' }> {
    return this.http.send('DELETE', path`/v1/secrets/${name}`, {}, options);
  }
}
