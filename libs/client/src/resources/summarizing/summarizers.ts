import { path } from '../../transport/path.js';
import type { CallOptions, Transport } from '../../transport/transport.js';

/** One of those that are tried one after the other. */
export type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: 'anthropic' | 'openai-chat' | 'openai-responses';
      /** The session's own where none is named. */
      readonly model?: string;
      /** The name of the secret that holds the key. */
      readonly secret: string;
    };
/** Who summarizes for a tenant. */
export type TenantSummarizers = {
  /** What profiles mean by `default`; `null` for what the operator has configured. */
  readonly default: string | null;
  readonly summarizers: Readonly<Record<string, readonly SummarizerLink[]>>;
};
export type Prompt = { readonly name: string; readonly version: string; readonly text: string };

/** Who summarizes, and by which prompts. */
export class Summarizers {
  constructor(private readonly http: Transport) {}

  show(options?: CallOptions): Promise<TenantSummarizers> {
    return this.http.send('GET', path`/v1/summarizers`, {}, options);
  }

  /** All of them at once: what is not named is gone. */
  configure(summarizers: TenantSummarizers, options?: CallOptions): Promise<TenantSummarizers> {
    return this.http.send('PUT', path`/v1/summarizers`, { body: summarizers }, options);
  }

  /** The prompts that ship; `version` is that of all together, which events name. */
  prompts(options?: CallOptions): Promise<{ readonly version: string; readonly prompts: readonly Prompt[] }> {
    return this.http.send('GET', path`/v1/prompts`, {}, options);
  }
}
