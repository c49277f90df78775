import { ownMember } from '@app/kernel';
import { type CheckResult, ok, warn } from './check.js';

type Server = { readonly url: string; readonly secret: string | undefined };
type Provider = { readonly name: string; readonly setting: string; readonly keyVariable: string };

/** Milliseconds for an answer of any kind. */
const ANSWER_MS = 5_000;

/** Checks that a provider's upstreams answer, and that agents have a key for them. Sends no key. */
export const checkUpstreams = async (
  { name, setting, keyVariable }: Provider,
  servers: readonly Server[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly CheckResult[]> => {
  const check = `upstream ${name}`;
  const reached = await Promise.all(servers.map(({ url }) => reach(url)));
  const results = servers.map(({ url }, at) =>
    reached[at]
      ? ok(check, url)
      : warn(
          check,
          `${url} cannot be reached`,
          `check the network, or set ${setting} to a server that answers`,
        ),
  );
  const hasKey = servers.some(({ secret }) => secret !== undefined) || Boolean(ownMember(env, keyVariable));
  const key = hasKey
    ? ok(`key ${name}`, `${keyVariable} or a secret of the upstream is set`)
    : warn(
        `key ${name}`,
        `${keyVariable} is not set`,
        `set it, or log in with the agent, for models of ${name}`,
      );
  return [...results, key];
};

const reach = (url: string): Promise<boolean> =>
  fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  );
