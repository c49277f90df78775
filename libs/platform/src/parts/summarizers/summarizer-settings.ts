import { MODEL_PROVIDERS, type ModelProvider } from '@app/domain';
import { z } from 'zod';

/** The vendor whose key and address a provider uses. */
export const VENDOR = {
  anthropic: 'ANTHROPIC',
  'openai-chat': 'OPENAI',
  'openai-responses': 'OPENAI',
} as const satisfies Readonly<Record<ModelProvider, string>>;

/** A link of a chain: a model of a provider, by default the session's own; or no model. */
type Link =
  | { readonly provider: 'extractive' }
  | { readonly provider: ModelProvider; readonly model: string | undefined };

const CHAIN_FAULT = `give extractive, or one or several of ${MODEL_PROVIDERS.join(', ')}, each with :MODEL or without, with commas between them`;
const URL_FAULT = 'give http://HOST/PATH or https://HOST/PATH, without a user in it';
const LINKS_MAX = 8;

const isProvider = (name: string): name is ModelProvider =>
  MODEL_PROVIDERS.some((provider) => provider === name);

/** Parses `anthropic:MODEL`; names of models may contain colons. */
const linkOf = (text: string): Link | undefined => {
  const colon = text.indexOf(':');
  const [provider, model] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
  if (provider === 'extractive' && model === undefined) return { provider };
  return isProvider(provider) && model?.trim() !== '' ? { provider, model: model?.trim() } : undefined;
};

const chain = z
  .string()
  .transform((text, context): readonly Link[] => {
    const links = text.split(',').map((part) => linkOf(part.trim()));
    const known = links.filter((link) => link !== undefined);
    if (known.length === links.length && known.length <= LINKS_MAX) return known;
    context.addIssue({ code: 'custom', message: CHAIN_FAULT });
    return z.NEVER;
  })
  .default([{ provider: 'extractive' }]);

const baseUrl = z
  .url({ protocol: /^https?$/, error: URL_FAULT })
  .refine((url) => new URL(url).username === '', URL_FAULT)
  .optional();
const key = z.string().min(1).optional();

/** Summarizers of profiles with the summarizer `default`, unless the tenant has its own. */
export const summarizerSettings = {
  /** Comma-separated chain, tried in this order. */
  PALIMPSEST_SUMMARIZER: chain,
  /** Base URLs of providers or compatible servers; by default those of the providers. */
  PALIMPSEST_ANTHROPIC_BASE_URL: baseUrl,
  PALIMPSEST_OPENAI_BASE_URL: baseUrl,
  /** Keys of the operator, each given directly or as a file with nothing else. */
  PALIMPSEST_ANTHROPIC_API_KEY: key,
  PALIMPSEST_ANTHROPIC_API_KEY_FILE: key,
  PALIMPSEST_OPENAI_API_KEY: key,
  PALIMPSEST_OPENAI_API_KEY_FILE: key,
};

type Given = { readonly PALIMPSEST_SUMMARIZER: readonly Link[] } & {
  readonly [name in `PALIMPSEST_${'ANTHROPIC' | 'OPENAI'}_API_KEY${'' | '_FILE'}`]?: string | undefined;
};

/** Requires a key for each configured provider; without it, every compaction would fail. */
export const requireKeys = (given: Given, context: z.RefinementCtx): void => {
  const vendors = new Set(
    given.PALIMPSEST_SUMMARIZER.flatMap((link) =>
      link.provider === 'extractive' ? [] : [VENDOR[link.provider]],
    ),
  );
  for (const vendor of vendors) {
    const name = `PALIMPSEST_${vendor}_API_KEY` as const;
    if ([given[name], given[`${name}_FILE`]].filter(Boolean).length === 1) continue;
    const message = `give it, or ${name}_FILE: one of the two, where PALIMPSEST_SUMMARIZER names the provider`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
};
