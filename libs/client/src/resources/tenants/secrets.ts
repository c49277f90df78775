import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';

/** A secret as it is listed: never with its value. */
export type NamedSecret = {
  readonly name: string;
  readonly createdAt: string;
  /** When its value was given last. */
  readonly changedAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
};

/** What the tenant gives the service to use in its name, for its administrators. */
export class Secrets {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<{ readonly secrets: readonly NamedSecret[] }> {
    return this.http.send('GET', path`/v1/secrets`, {}, options);
  }

  /** In the place of what is there under the name; nobody is shown the value again. */
  put(name: string, value: string, options?: CallOptions): Promise<NamedSecret> {
    return this.http.send('PUT', path`/v1/secrets/${name}`, { body: { value } }, options);
  }

  remove(name: string, options?: CallOptions): Promise<{ readonly name: string; readonly state: 'removed' }> {
    return this.http.send('DELETE', path`/v1/secrets/${name}`, {}, options);
  }
}
