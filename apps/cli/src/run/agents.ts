import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, isJsonObject, type JsonObject, ownMember, parseJson } from '@app/kernel';
import type { Provider } from './upstreams.js';

/** Additions to a started agent: environment variables, and arguments before the user's. */
export type Setup = {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Removes the files written for the agent. */
  readonly remove?: () => Promise<void>;
};
/** The gateway's address and the headers that every request carries. */
type GatewayAccess = { readonly url: string; readonly headers: Readonly<Record<string, string>> };
type Environment = Readonly<Record<string, string | undefined>>;

type NodeVersion = readonly [major: number, minor: number];
type Package = {
  readonly name: string;
  /** The oldest Node that runs it, by `engines` of its newest version (2026-11-28); absent if this program needs one as new. */
  readonly node?: NodeVersion;
};

export type Agent = {
  /** Name of its sessions' agent. */
  readonly name: string;
  /** Name of its program. */
  readonly program: string;
  /** Its packages on npm, the preferred one first. */
  readonly packages: readonly [Package, ...Package[]];
  /** Providers whose models it uses through the gateway. */
  readonly providers: readonly Provider[];
  /** Returns how it is led through the gateway; absent for an agent whose transcripts are imported afterwards. */
  readonly setup?: (gateway: GatewayAccess, env: Environment) => Promise<Setup>;
};

const anthropicAt = (url: string): string => `${url}/gateway/anthropic`;
const openAiAt = (url: string): string => `${url}/gateway/openai/v1`;

const claude = async ({ url, headers }: GatewayAccess, env: Environment): Promise<Setup> => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const own = env.ANTHROPIC_CUSTOM_HEADERS ? [env.ANTHROPIC_CUSTOM_HEADERS] : [];
  return {
    env: { ANTHROPIC_BASE_URL: anthropicAt(url), ANTHROPIC_CUSTOM_HEADERS: [...own, ...lines].join('\n') },
    args: [],
  };
};

/** Settings on the command line name variables, so that lists of processes show no key. */
const codex = async ({ url, headers }: GatewayAccess, env: Environment): Promise<Setup> => {
  const named = Object.entries(headers).map(
    ([header, value], at) => [header, `PALIMPSEST_RUN_HEADER_${at}`, value] as const,
  );
  const toml = (text: string): string => JSON.stringify(text);
  const provider = [
    `name=${toml('Palimpsest')}`,
    `base_url=${toml(openAiAt(url))}`,
    `wire_api=${toml('responses')}`,
    env.OPENAI_API_KEY ? `env_key=${toml('OPENAI_API_KEY')}` : 'requires_openai_auth=true',
    `env_http_headers={${named.map(([header, variable]) => `${toml(header)}=${toml(variable)}`).join(',')}}`,
  ];
  return {
    env: Object.fromEntries(named.map(([, variable, value]) => [variable, value])),
    args: [
      ...['-c', 'model_provider="palimpsest"'],
      ...['-c', `model_providers.palimpsest={${provider.join(',')}}`],
    ],
  };
};

const opencode = async ({ url, headers }: GatewayAccess, env: Environment): Promise<Setup> => {
  const given = parseJson(env.OPENCODE_CONFIG_CONTENT || '{}');
  if (!given || !isJsonObject(given))
    throw new AppError(
      'invalid-configuration',
      'OPENCODE_CONFIG_CONTENT is no JSON object: correct or unset it',
    );
  const providers = memberOf(given, 'provider');
  const through = (name: string, baseURL: string): JsonObject => {
    const own = memberOf(providers, name);
    const options = memberOf(own, 'options');
    const all = { ...memberOf(options, 'headers'), ...headers };
    return { ...own, options: { ...options, baseURL, headers: all } };
  };
  const config = {
    ...given,
    provider: {
      ...providers,
      anthropic: through('anthropic', `${anthropicAt(url)}/v1`),
      openai: through('openai', openAiAt(url)),
    },
  };
  return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }, args: [] };
};

const memberOf = (object: JsonObject, name: string): JsonObject => {
  const member = ownMember(object, name);
  return member !== undefined && isJsonObject(member) ? member : {};
};

/** An extension of pi; the addresses and headers come from the environment, so the file holds no key. */
const PI_EXTENSION = `export default (pi) => {
  for (const [name, provider] of Object.entries(JSON.parse(process.env.PALIMPSEST_RUN_PROVIDERS)))
    pi.registerProvider(name, provider);
};
`;

const pi = async ({ url, headers }: GatewayAccess): Promise<Setup> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-run-'));
  const extension = join(folder, 'palimpsest.mjs');
  await writeFile(extension, PI_EXTENSION);
  const providers = {
    anthropic: { baseUrl: anthropicAt(url), headers },
    openai: { baseUrl: openAiAt(url), headers },
  };
  return {
    env: { PALIMPSEST_RUN_PROVIDERS: JSON.stringify(providers) },
    args: ['--extension', extension],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

/** @param version such as `20.19.0`. */
export const isNodeAtLeast = (version: string, [major, minor]: NodeVersion): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

/** Returns the command that installs an agent, as part of a sentence: its first package that the Node runs, or the Node it needs. */
export const installOf = ({ packages }: Pick<Agent, 'packages'>, nodeVersion: string): string => {
  const [preferred] = packages;
  const fitting = packages.find(({ node }) => node === undefined || isNodeAtLeast(nodeVersion, node));
  const command = `\`npm install -g ${(fitting ?? preferred).name}\``;
  return fitting ? command : `${command} on Node ${preferred.node?.join('.')} or newer`;
};

/** By the word behind `palimpsest run`. */
export const AGENTS: Readonly<Record<string, Agent>> = {
  claude: {
    name: 'claude-code',
    program: 'claude',
    packages: [{ name: '@anthropic-ai/claude-code', node: [22, 0] }],
    providers: ['anthropic'],
    setup: claude,
  },
  codex: {
    name: 'codex',
    program: 'codex',
    packages: [{ name: '@openai/codex' }],
    providers: ['openai'],
    setup: codex,
  },
  opencode: {
    name: 'opencode',
    program: 'opencode',
    packages: [{ name: 'opencode-ai' }],
    providers: ['anthropic', 'openai'],
    setup: opencode,
  },
  pi: {
    name: 'pi',
    program: 'pi',
    // The second name is the one of earlier versions, the last of which is 0.73.1.
    packages: [
      { name: '@earendil-works/pi-coding-agent', node: [22, 19] },
      { name: '@mariozechner/pi-coding-agent' },
    ],
    providers: ['anthropic', 'openai'],
    setup: pi,
  },
  // It speaks Google's protocol, which the gateway does not.
  gemini: {
    name: 'gemini-cli',
    program: 'gemini',
    packages: [{ name: '@google/gemini-cli' }],
    providers: [],
  },
};
