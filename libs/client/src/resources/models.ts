import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type { FoundModel, Model, ModelFacts } from '../types/models.js';

/** What is known of models. */
export class Models {
  constructor(private readonly http: Transport) {}

  list(options?: CallOptions): Promise<readonly Model[]> {
    return this.http.send('GET', path`/v1/models`, {}, options);
  }

  /** @param model its id, an alias, or a name of it that a cloud or a router has. */
  show(model: string, options?: CallOptions): Promise<FoundModel> {
    return this.http.send('GET', path`/v1/models/${model}`, {}, options);
  }

  /** The tenant's own word on a model, whole. */
  describe(model: string, facts: ModelFacts, options?: CallOptions): Promise<Model> {
    return this.http.send('PUT', path`/v1/models/${model}`, { body: facts }, options);
  }

  /** Takes it back. */
  forget(
    model: string,
    options?: CallOptions,
  ): Promise<{ readonly model: string; readonly state: 'forgotten' }> {
    return this.http.send('DELETE', path`/v1/models/${model}`, {}, options);
  }
}
