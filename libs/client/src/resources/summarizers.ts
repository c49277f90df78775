import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** One of those that are tried one after the other. */
type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: 'anthropic' | 'openai-chat' | 'openai-responses';
      /** The session's own where none is named. */
      readonly model?: string;
      /** The name of the secret that holds the key. */
      readonly secret: string;
      /** A prompt of the tenant's, as `NAME` or `NAME@VERSION`; the profile's where none is named. */
      readonly prompt?: string;
    };
/** Who summarizes for a tenant. */
export type TenantSummarizers = {
  /** What profiles mean by `default`; `null` for what the operator has configured. */
  readonly default: string | null;
  readonly summarizers: Readonly<Record<string, readonly SummarizerLink[]>>;
};
export type Prompt = { readonly name: string; readonly version: string; readonly text: string };

/** A tenant's own words in the place of those that ship; each text has the places of the one whose place it takes. */
export type PromptTexts = {
  readonly system?: string;
  readonly transcript?: string;
  readonly prefix?: string;
  readonly sections?: string;
};
/** A version of a prompt of the tenant's: none is ever changed. */
export type OwnPrompt = {
  readonly name: string;
  readonly version: number;
  /** SHA-256 of the texts as canonical JSON. */
  readonly hash: string;
  readonly lengths: { readonly [Part in keyof PromptTexts]?: number };
  readonly registeredBy: string;
  readonly registeredAt: string;
};

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

  /** Every version of the tenant's own prompts, without their texts. */
  ownPrompts(options?: CallOptions): Promise<{ readonly prompts: readonly OwnPrompt[] }> {
    return this.http.send('GET', path`/v1/prompts/own`, {}, options);
  }

  /** One of them with its texts; the newest version where none is named. */
  ownPrompt(
    name: string,
    query: { readonly version?: number } = {},
    options?: CallOptions,
  ): Promise<OwnPrompt & { readonly texts: PromptTexts }> {
    return this.http.send('GET', path`/v1/prompts/own/${name}`, { query }, options);
  }

  /** A new version of a prompt; the newest one again is no new version. */
  registerPrompt(name: string, texts: PromptTexts, options?: CallOptions): Promise<OwnPrompt> {
    return this.http.send('POST', path`/v1/prompts/own/${name}`, { body: { texts } }, options);
  }
}
