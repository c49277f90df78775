import type { Erasure, ErasurePolicy, ErasureRequest, ListErasuresResponse } from '../../generated/types.js';
import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';

/** Erasures of content, for keys with the role `privacy` or `admin`. */
export class Erasures {
  constructor(private readonly http: Transport) {}

  /** Erases content for good. Resolves when it is done, deferred, or waits for an approval. */
  request(request: ErasureRequest, options?: CallOptions): Promise<Erasure> {
    return this.http.send('POST', path`/v1/erasures`, { body: request }, options);
  }

  /** Approves an erasure that another person has requested, and carries it out. */
  approve(erasure: string, options?: CallOptions): Promise<Erasure> {
    return this.http.send('POST', path`/v1/erasures/${erasure}/approval`, {}, options);
  }

  /** Withdraws an erasure that has not begun. */
  withdraw(erasure: string, reason: string, options?: CallOptions): Promise<Erasure> {
    return this.http.send('POST', path`/v1/erasures/${erasure}/withdrawal`, { body: { reason } }, options);
  }

  /** The erasures of the tenant, the newest first. */
  list(options?: CallOptions): Promise<ListErasuresResponse> {
    return this.http.send('GET', path`/v1/erasures`, {}, options);
  }

  show(erasure: string, options?: CallOptions): Promise<Erasure> {
    return this.http.send('GET', path`/v1/erasures/${erasure}`, {}, options);
  }

  changePolicy(policy: ErasurePolicy, options?: CallOptions): Promise<ErasurePolicy> {
    return this.http.send('PUT', path`/v1/erasure-policy`, { body: policy }, options);
  }
}
