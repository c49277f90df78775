import { MODEL_PROVIDERS, type ModelProvider } from '@app/domain';
import { z } from 'zod';

/** Whose key and address a provider's are. */
export const VENDOR = {
  anthropic: 'ANTHROPIC',
  'openai-chat': 'OPENAI',
  'openai-responses': 'OPENAI',
} as const satisfies Readonly<Record<ModelProvider, string>>;

/** One summarizer of a chain: a model of a provider's, the session's own where none is named; or none at all. */
type Link =
  | { readonly provider: 'extractive' }
  | { readonly provider: ModelProvider; readonly model: string | undefined };

const CHAIN_FAULT = `give extractive, or one or several of ${MODEL_PROVIDERS.join(', ')}, each with :MODEL or without, with commas between them`;
const URL_FAULT = 'give http://HOST/PATH or https://HOST/PATH, without a user in it';
const LINKS_MAX = 8;

const isProvider = (name: string): name is ModelProvider =>
  MODEL_PROVIDERS.some((provider) => provider === name);

/** `anthropic:MODEL`; names of models hold colons, too. */
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

/** Who writes summaries where a profile says `default` and the tenant has nothing of its own. */
export const summarizerSettings = {
  /** Tried in this order. */
  PALIMPSEST_SUMMARIZER: chain,
  /** Where the providers are, or servers that speak like them; the providers' own addresses where they are not given. */
  PALIMPSEST_ANTHROPIC_BASE_URL: baseUrl,
  PALIMPSEST_OPENAI_BASE_URL: baseUrl,
  /** The operator's keys: each itself, or a file that holds it alone. */
  PALIMPSEST_ANTHROPIC_API_KEY: key,
  PALIMPSEST_ANTHROPIC_API_KEY_FILE: key,
  PALIMPSEST_OPENAI_API_KEY: key,
  PALIMPSEST_OPENAI_API_KEY_FILE: key,
};

type Given = { readonly PALIMPSEST_SUMMARIZER: readonly Link[] } & {
  readonly [name in `PALIMPSEST_${'ANTHROPIC' | 'OPENAI'}_API_KEY${'' | '_FILE'}`]?: string | undefined;
};

/** A provider that nobody has a key for would fail every compaction, one after the other. */
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
