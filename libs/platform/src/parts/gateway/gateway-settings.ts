import { z } from 'zod';
import { whole } from '../../process-settings.js';

const URLS_FAULT =
  'give http(s)://HOST/PATH, or several with blanks between them; #secret=NAME behind one names the secret with its key';
const SECRET = /^#secret=([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/;

/** Upstream servers of a provider's API, in the order in which they are tried. */
const servers = (standard: string) =>
  z
    .string()
    .default(standard)
    .transform((text, context) =>
      text
        .trim()
        .split(/\s+/)
        .map((given) => {
          const server = serverOf(given);
          if (server) return server;
          context.addIssue({ code: 'custom', message: URLS_FAULT });
          return z.NEVER;
        }),
    );

const serverOf = (given: string): { url: string; secret: string | undefined } | undefined => {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  const { protocol, hash, username } = url;
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || url.search !== '')
    return undefined;
  const secret = SECRET.exec(hash)?.[1];
  if (hash !== '' && secret === undefined) return undefined;
  url.hash = '';
  return { url: url.href.replace(/\/+$/, ''), secret };
};

/** Upstreams of the gateway, and defaults of the sessions that it opens. */
export const gatewaySettings = {
  PALIMPSEST_GATEWAY_ANTHROPIC: servers('https://api.anthropic.com'),
  PALIMPSEST_GATEWAY_OPENAI: servers('https://api.openai.com/v1'),
  /** A profile by its name. */
  PALIMPSEST_GATEWAY_PROFILE: z.string().min(1).max(64).default('core'),
  /**
   * Milliseconds after which a log or database that does not answer counts as unavailable, so that requests go to the
   * provider unchanged; 0 lets them fail instead.
   */
  PALIMPSEST_GATEWAY_FAIL_OPEN_MS: whole('milliseconds', 0, 60_000).default(2_000),
  /** Whether new sessions have the recall tool, unless client or profile decides. */
  PALIMPSEST_GATEWAY_RECALL: z.enum(['on', 'off']).default('off'),
};
