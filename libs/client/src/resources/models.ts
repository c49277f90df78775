import type { DescribeModelRequest, ForgetModelResponse, FoundModel, Model } from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** Models with their limits and prices. */
export class Models {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<readonly Model[]> {
    return this.http.send('GET', path`/v1/models`, {}, options);
  }

  /** @param model its ID, an alias, or its name at a cloud provider or router. */
  show(model: string, options?: CallOptions): Promise<FoundModel> {
    return this.http.send('GET', path`/v1/models/${model}`, {}, options);
  }

  /** Replaces the tenant's description of a model. */
  describe(model: string, facts: DescribeModelRequest, options?: CallOptions): Promise<Model> {
    return this.http.send('PUT', path`/v1/models/${model}`, { body: facts }, options);
  }

  /** Removes the tenant's description of a model. */
  forget(model: string, options?: CallOptions): Promise<ForgetModelResponse> {
    return this.http.send('DELETE', path`/v1/models/${model}`, {}, options);
  }
}
