import { AppError } from '@app/kernel';
import type { AppConfig } from '@app/platform';

/** Providers of the gateway: the setting that names their servers, and the variable in which agents take their key. */
export const PROVIDERS = {
  anthropic: {
    name: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    setting: 'PALIMPSEST_GATEWAY_ANTHROPIC',
  },
  openai: { name: 'OpenAI', keyVariable: 'OPENAI_API_KEY', setting: 'PALIMPSEST_GATEWAY_OPENAI' },
} as const;

export type Provider = keyof typeof PROVIDERS;

/** Milliseconds for an answer of any kind. */
const ANSWER_MS = 5_000;

/** Whether a server answers at a URL, with any status. Sends no key. */
export const isReachable = (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  );

/**
 * Refuses an agent none of whose providers' servers can be reached: agents repeat their requests for minutes.
 *
 * @throws {AppError} `upstream-unreachable`.
 */
export const requireUpstream = async (
  { program, providers }: { readonly program: string; readonly providers: readonly Provider[] },
  config: Pick<AppConfig, (typeof PROVIDERS)[Provider]['setting']>,
): Promise<void> => {
  const settings = providers.map((provider) => PROVIDERS[provider].setting);
  const urls = settings.flatMap((setting) => config[setting].map(({ url }) => url));
  if (urls.length === 0) return;
  const reached = urls.map(async (url) => (await isReachable(url)) || Promise.reject(new Error(url)));
  if (await Promise.any(reached).catch(() => false)) return;
  throw new AppError(
    'upstream-unreachable',
    `${urls.join(' and ')} cannot be reached for ${program}: check the network, or set ${settings.join(' or ')} to a server that answers`,
  );
};
