import type { TenantStore } from '@app/application';
import {
  type ModelCatalog,
  type ModelProvider,
  promptNamed,
  type RegisteredTenant,
  type SummarizerLink,
  summarizingModel,
  vendorOf,
} from '@app/domain';
import { AppError, ownMember, SecretName, type TenantId } from '@app/kernel';
import {
  type ModelRegistry,
  type SecretStore,
  type Summarizer,
  type SummarizerChain,
  type SummarizerChoice,
  SummarizerError,
  type SummarizerFault,
  type SummarizerWish,
} from '@app/ports';
import type { AppConfig } from '../../config.js';
import { linkSummarizer } from './link-summarizer.js';
import { promptedSummarizer } from './prompted-summarizer.js';
import { VENDOR } from './summarizer-settings.js';

export type ConfiguredOptions = {
  readonly config: AppConfig;
  readonly keys: OperatorKeys;
  readonly tenants: Pick<TenantStore, 'load'>;
  readonly secrets: Pick<SecretStore, 'read'>;
  readonly models: ModelRegistry;
  /** Summarizer without model calls. */
  readonly extractive: Summarizer;
  readonly observe: (summarizer: Summarizer) => Summarizer;
};
/** Keys of the operator by vendor. */
export type OperatorKeys = Readonly<Partial<Record<(typeof VENDOR)[ModelProvider], string>>>;

/** A configured summarizer, with a key of the operator, or of the tenant by the name of its secret. */
type Configured =
  | { readonly provider: 'extractive' }
  | {
      readonly provider: ModelProvider;
      readonly model?: string | undefined;
      readonly secret?: string;
      readonly prompt?: string;
    }
  | { readonly provider: 'none'; readonly name: string };

/** Selects summarizers by the profile and the configuration of the tenant, by default that of the operator. */
export const configuredSummarizers = (options: ConfiguredOptions): SummarizerChoice => ({
  choose: async (wish) => {
    const catalog = await options.models.catalogFor(wish.tenant);
    const { state } = await options.tenants.load(wish.tenant);
    const own = state.status === 'registered' ? state : undefined;
    const links = ownFirst(linksFor(wish, own, options), vendorOf(catalog, wish.model));
    const made = await Promise.all(links.map((link) => promptedBy(link, wish, own, catalog, options)));
    const [first, ...others] = made.map(options.observe);
    const chain: SummarizerChain = [first ?? options.extractive, ...others];
    return chain;
  },
});

const linksFor = (
  { profile: { summarizer } }: SummarizerWish,
  tenant: RegisteredTenant | undefined,
  { config }: ConfiguredOptions,
): readonly Configured[] => {
  if (summarizer === 'extractive') return [{ provider: 'extractive' }];
  const own = tenant?.summarizers;
  const name = summarizer === 'default' ? own?.default : summarizer;
  // An unregistered tenant, and one without a configuration, uses that of the operator.
  if (name === null || name === undefined) return config.PALIMPSEST_SUMMARIZER;
  const named: readonly SummarizerLink[] | undefined = own && ownMember(own.summarizers, name);
  return named ?? [{ provider: 'none', name }];
};

/** Sorts links that name no model so that the session's vendor comes first; links with a model keep their position. */
const ownFirst = (links: readonly Configured[], own: string | undefined): readonly Configured[] => {
  const isOpen = (link: Configured): boolean =>
    vendorOfLink(link) !== undefined && !('model' in link && link.model !== undefined);
  const open = links.filter(isOpen);
  const isOwn = (link: Configured): boolean => vendorOfLink(link) === own;
  const following = [...open.filter(isOwn), ...open.filter((link) => !isOwn(link))].values();
  return links.map((link) => (isOpen(link) ? (following.next().value ?? link) : link));
};

/** Returns the vendor of a link's models, as the catalog names it; `undefined` for a link without models. */
const vendorOfLink = ({ provider }: Configured): string | undefined =>
  provider === 'extractive' || provider === 'none' ? undefined : VENDOR[provider].toLowerCase();

/** Returns a link with its prompt, by default that of the profile; links without a model have none. */
const promptedBy = async (
  link: Configured,
  wish: SummarizerWish,
  tenant: RegisteredTenant | undefined,
  catalog: ModelCatalog,
  options: ConfiguredOptions,
): Promise<Summarizer> => {
  const summarizer = await summarizerOf(link, wish, catalog, options);
  if (link.provider === 'extractive' || link.provider === 'none') return summarizer;
  const wanted = link.prompt ?? wish.profile.prompt;
  if (wanted === 'default') return summarizer;
  const prompt = promptNamed(tenant?.prompts ?? [], wanted);
  if (prompt) return promptedSummarizer(summarizer, prompt);
  const { name, model } = summarizer.identity;
  return missing(name, { fault: 'not-configured', about: `prompt ${wanted}` }, model);
};

const summarizerOf = async (
  link: Configured,
  { tenant, model: sessionModel }: SummarizerWish,
  catalog: ModelCatalog,
  { config, keys, secrets, extractive }: ConfiguredOptions,
): Promise<Summarizer> => {
  if (link.provider === 'extractive') return extractive;
  if (link.provider === 'none')
    return missing(link.name, { fault: 'not-configured', about: `summarizer ${link.name}` });
  const { provider, secret } = link;
  const vendor = VENDOR[provider];
  const baseUrl = config[`PALIMPSEST_${vendor}_BASE_URL`];
  const asked =
    link.model === undefined
      ? summarizingModel(catalog, sessionModel, {
          vendor: vendor.toLowerCase(),
          isOwnServer: baseUrl !== undefined,
        })
      : { model: link.model, isSessionModel: link.model === sessionModel };
  if (!asked) {
    const about = `no model of ${provider} for a session of "${sessionModel.slice(0, 64)}": name one, as ${provider}:MODEL`;
    return missing(provider, { fault: 'not-configured', about });
  }
  const { model, isSessionModel } = asked;
  const named = secret === undefined ? { key: keys[vendor] } : await keyIn(secrets, tenant, secret);
  if ('fault' in named || named.key === undefined) {
    const fault = 'fault' in named ? named.fault : 'not-configured';
    return missing(provider, { fault, about: `secret ${secret ?? `PALIMPSEST_${vendor}_API_KEY`}` }, model);
  }
  const apiKey = named.key;
  return linkSummarizer({ provider, model, isSessionModel, apiKey, baseUrl }, catalog);
};

/**
 * Returns the key of a secret. A missing or unreadable secret is a permanent fault, an unavailable database a temporary one.
 */
const keyIn = async (
  secrets: ConfiguredOptions['secrets'],
  tenant: TenantId,
  name: string,
): Promise<{ readonly key: string } | { readonly fault: SummarizerFault }> => {
  try {
    return { key: await secrets.read(tenant, SecretName(name)) };
  } catch (error) {
    const isAway = error instanceof AppError && error.code === 'postgres-unavailable';
    return { fault: isAway ? 'unavailable' : 'not-configured' };
  }
};

type Missing = { readonly fault: SummarizerFault; readonly about: string };

/** Returns a summarizer that fails with the missing configuration, which the attempt then records. */
const missing = (name: string, { fault, about }: Missing, model?: string): Summarizer => ({
  identity: { name, ...(model !== undefined && { model }), promptVersion: 'none', deterministic: false },
  unusable: fault,
  summarize: async () => {
    throw new SummarizerError(fault, { about });
  },
});
