import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** A link of a chain that is tried in order. */
type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: 'anthropic' | 'openai-chat' | 'openai-responses';
      /** By default that of the session. */
      readonly model?: string;
      /** Name of the secret with the provider's key. */
      readonly secret: string;
      /** A prompt of the tenant, `NAME` or `NAME@VERSION`; by default that of the profile. */
      readonly prompt?: string;
    };
/** Summarizers of a tenant. */
export type TenantSummarizers = {
  /** Summarizer of profiles with `default`; `null` for that of the operator. */
  readonly default: string | null;
  readonly summarizers: Readonly<Record<string, readonly SummarizerLink[]>>;
};
export type Prompt = { readonly name: string; readonly version: string; readonly text: string };

/** Texts that replace the built-in ones of the same name, with the same placeholders. */
export type PromptTexts = {
  readonly system?: string;
  readonly transcript?: string;
  readonly prefix?: string;
  readonly sections?: string;
};
/** An immutable version of a tenant's prompt. */
export type OwnPrompt = {
  readonly name: string;
  readonly version: number;
  /** SHA-256 of the texts as canonical JSON. */
  readonly hash: string;
  readonly lengths: { readonly [Part in keyof PromptTexts]?: number };
  readonly registeredBy: string;
  readonly registeredAt: string;
};

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
  prompts(options?: CallOptions): Promise<{ readonly version: string; readonly prompts: readonly Prompt[] }> {
    return this.http.send('GET', path`/v1/prompts`, {}, options);
  }

  /** Lists all versions of the tenant's prompts, without their texts. */
  ownPrompts(options?: CallOptions): Promise<{ readonly prompts: readonly OwnPrompt[] }> {
    return this.http.send('GET', path`/v1/prompts/own`, {}, options);
  }

  /** Returns a version with its texts, by default the newest. */
  ownPrompt(
    name: string,
    query: { readonly version?: number } = {},
    options?: CallOptions,
  ): Promise<OwnPrompt & { readonly texts: PromptTexts }> {
    return this.http.send('GET', path`/v1/prompts/own/${name}`, { query }, options);
  }

  /** Registers a version of a prompt; texts equal to the newest version add none. */
  registerPrompt(name: string, texts: PromptTexts, options?: CallOptions): Promise<OwnPrompt> {
    return this.http.send('POST', path`/v1/prompts/own/${name}`, { body: { texts } }, options);
  }
}
