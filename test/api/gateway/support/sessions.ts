import type { ApiServer } from '../../support/api-server.js';

type Exported = { readonly role: string; readonly content: readonly unknown[] };

const linesOf = async (
  api: ApiServer,
  path: string,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly Record<string, unknown>[]> => {
  const { body } = await api.call('GET', path, undefined, headers);
  return String(body)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

/** Returns all messages of a session in full, including compacted ones. */
export const exportOf = async (
  api: ApiServer,
  session: string,
  headers?: Readonly<Record<string, string>>,
): Promise<readonly Exported[]> =>
  (await linesOf(api, `/v1/sessions/${session}/export`, headers)).map(({ role, content }) => ({
    role: String(role),
    content: Array.isArray(content) ? content : [],
  }));

/** Returns the types of a session's events in order. */
export const typesOf = async (api: ApiServer, session: string): Promise<readonly string[]> =>
  (await linesOf(api, `/v1/sessions/${session}/events`)).map(({ type }) => String(type));
