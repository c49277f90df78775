import type { ListSecretsResponse, NamedSecret, RemoveSecretResponse } from '../../generated/types.js';
import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';

/** Secrets that the service uses for the tenant, for its admins. */
export class Secrets {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<ListSecretsResponse> {
    return this.http.send('GET', path`/v1/secrets`, {}, options);
  }

  /** Stores a secret, replacing one of the same name; its value is never returned. */
  put(name: string, value: string, options?: CallOptions): Promise<NamedSecret> {
    return this.http.send('PUT', path`/v1/secrets/${name}`, { body: { value } }, options);
  }

  remove(name: string, options?: CallOptions): Promise<RemoveSecretResponse> {
    return this.http.send('DELETE', path`/v1/secrets/${name}`, {}, options);
  }
}
