import type { NonEmpty } from '@app/kernel';
/** Wire formats of models that can summarize. */
export const MODEL_PROVIDERS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** One link of a chain: no model, or a model with a key of the tenant. */
export type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: ModelProvider;
      /** Default: the session's own. */
      readonly model?: NonEmpty;
      /** The name of the secret that holds the key: never the key. */
      readonly secret: NonEmpty;
      /** A prompt of the tenant as `NAME` or `NAME@VERSION`. Default: the profile's. */
      readonly prompt?: NonEmpty;
    };

/** Summarizers of a tenant. */
export type TenantSummarizers = {
  /** The summarizer for profiles with `default`; `null` for the operator's. */
  readonly default: NonEmpty | null;
  /** By name, each in the order in which its links are tried. */
  readonly summarizers: Readonly<Record<NonEmpty, readonly SummarizerLink[]>>;
};

/** The configuration of a tenant without its own: the operator's. */
export const NO_SUMMARIZERS: TenantSummarizers = { default: null, summarizers: {} };
