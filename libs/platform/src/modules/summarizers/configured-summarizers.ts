import type { Profile } from '@app/domain';
import type { Summarizer, SummarizerChain, SummarizerChoice, SummarizerWish } from '@app/ports';
import type { AppConfig } from '../../config.js';
import { linkSummarizer } from './link-summarizer.js';
import { type Link, type Provider, VENDOR } from './summarizer-settings.js';

export type ConfiguredOptions = {
  readonly config: AppConfig;
  readonly keys: OperatorKeys;
  /** Calls no model. */
  readonly extractive: Summarizer;
  readonly observe: (summarizer: Summarizer) => Summarizer;
};
/** The operator's keys, by vendor. */
export type OperatorKeys = Readonly<Partial<Record<(typeof VENDOR)[Provider], string>>>;

/** Who summarizes, by what the profile asks for and the operator has configured. */
export const configuredSummarizers = (options: ConfiguredOptions): SummarizerChoice => ({
  choose: async (wish) => {
    const links = linksFor(wish.profile, options);
    const [first, ...others] = links.map((link) => options.observe(summarizerOf(link, wish, options)));
    const chain: SummarizerChain = [first ?? options.extractive, ...others];
    return chain;
  },
});

const EXTRACTIVE: readonly Link[] = [{ provider: 'extractive' }];

const linksFor = ({ summarizer }: Profile, { config }: ConfiguredOptions): readonly Link[] =>
  summarizer === 'extractive' ? EXTRACTIVE : config.PALIMPSEST_SUMMARIZER;

const summarizerOf = (
  link: Link,
  { model, profile }: SummarizerWish,
  { config, keys, extractive }: ConfiguredOptions,
): Summarizer => {
  if (link.provider === 'extractive') return extractive;
  const vendor = VENDOR[link.provider];
  return linkSummarizer(
    {
      provider: link.provider,
      model: link.model ?? model,
      isSessionModel: link.model === undefined || link.model === model,
      apiKey: keys[vendor] ?? '',
      baseUrl: config[`PALIMPSEST_${vendor}_BASE_URL`],
    },
    profile,
  );
};
