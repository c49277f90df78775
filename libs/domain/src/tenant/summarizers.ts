/** Whose models can summarize, by the form that they are spoken to in. */
export const MODEL_PROVIDERS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** One of those that are tried one after the other: no model at all, or one with a key of the tenant's. */
export type SummarizerLink =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: ModelProvider;
      /** The session's own where none is named. */
      readonly model?: string;
      /** The name of the secret that holds the key: never the key. */
      readonly secret: string;
      /** A prompt of the tenant's, as `NAME` or `NAME@VERSION`; the profile's where none is named. */
      readonly prompt?: string;
    };

/** Who summarizes for a tenant. */
export type TenantSummarizers = {
  /** Which of them is meant where a profile says `default`; `null` for what the operator has configured. */
  readonly default: string | null;
  /** By name, each in the order in which its links are tried. */
  readonly summarizers: Readonly<Record<string, readonly SummarizerLink[]>>;
};

/** A tenant that has configured nothing has what the operator has. */
export const NO_SUMMARIZERS: TenantSummarizers = { default: null, summarizers: {} };
