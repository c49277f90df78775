// Program `export-page`: the page of a session from the local data folder, for `palimpsest export --html`.
import { IssueApiKey, RevokeApiKey, type SessionRef } from '@app/application';
import { Actor, AppError, IsoTime } from '@app/kernel';
import { type AppConfig, setLogLevel } from '@app/platform';
import { firstKeyKeeper } from './first-key.js';
import { CONTENT_READ } from './http/content/content.js';
import { startApi } from './start-api.js';

/** The key is revoked afterwards; it expires even if this process is killed. */
const KEY_MS = 600_000;
const CALLER = { actor: Actor('system') };

/**
 * Runs the service on loopback as long as it takes to export a session's page, and returns the page.
 *
 * @throws {AppError} as the endpoint does.
 */
export const exportPage = async (
  config: AppConfig,
  { tenant, session }: SessionRef,
  content: 'none' | 'clear',
): Promise<string> => {
  setLogLevel('error');
  const own = {
    PALIMPSEST_HTTP_HOST: '127.0.0.1',
    PALIMPSEST_HTTP_PORT: 0,
    PALIMPSEST_LOG_LEVEL: 'error', // Of the background process too.
  } as const;
  const api = await startApi({ ...config, ...own }, firstKeyKeeper(config.PALIMPSEST_DATA, undefined));
  try {
    const { commands } = api.palimpsest;
    const expiresAt = IsoTime(new Date(Date.now() + KEY_MS));
    const permissions = content === 'clear' ? [CONTENT_READ] : [];
    const input = { role: 'auditor', label: 'palimpsest export --html', permissions, expiresAt } as const;
    const { key, keyId } = await commands.execute(new IssueApiKey(tenant, input, CALLER));
    try {
      return await pageFrom(api.url, session, content, key);
    } finally {
      await commands.execute(new RevokeApiKey(tenant, { keyId, reason: 'exported' }, CALLER));
    }
  } finally {
    await api.close();
  }
};

const pageFrom = async (url: string, session: string, content: string, key: string): Promise<string> => {
  const path = `/v1/sessions/${encodeURIComponent(session)}/page?content=${content}`;
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (answer.ok) return text;
  const { code, detail } = JSON.parse(text);
  throw new AppError(code, detail);
};
