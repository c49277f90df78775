import type {
  GetOwnPromptQuery,
  GetOwnPromptResponse,
  ListOwnPromptsResponse,
  ListPromptsResponse,
  OwnPrompt,
  RegisterPromptRequest,
  TenantSummarizers,
} from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** Summarizers and prompts of the tenant. */
export class Summarizers {
  constructor(private readonly http: Transport) {}

  show(options?: CallOptions): Promise<TenantSummarizers> {
    return this.http.send('GET', path`/v1/summarizers`, {}, options);
  }

  /** Replaces all summarizers. */
  configure(summarizers: TenantSummarizers, options?: CallOptions): Promise<TenantSummarizers> {
    return this.http.send('PUT', path`/v1/summarizers`, { body: summarizers }, options);
  }

  /** Lists the built-in prompts; `version` is that of all together, which events contain. */
  prompts(options?: CallOptions): Promise<ListPromptsResponse> {
    return this.http.send('GET', path`/v1/prompts`, {}, options);
  }

  /** Lists all versions of the tenant's prompts, without their texts. */
  ownPrompts(options?: CallOptions): Promise<ListOwnPromptsResponse> {
    return this.http.send('GET', path`/v1/prompts/own`, {}, options);
  }

  /** Returns a version with its texts, by default the newest. */
  ownPrompt(
    name: string,
    query: GetOwnPromptQuery = {},
    options?: CallOptions,
  ): Promise<GetOwnPromptResponse> {
    return this.http.send('GET', path`/v1/prompts/own/${name}`, { query }, options);
  }

  /** Registers a version of a prompt; texts equal to the newest version add none. */
  registerPrompt(
    name: string,
    texts: RegisterPromptRequest['texts'],
    options?: CallOptions,
  ): Promise<OwnPrompt> {
    return this.http.send('POST', path`/v1/prompts/own/${name}`, { body: { texts } }, options);
  }
}
