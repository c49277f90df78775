import { answered } from '../remote/remote-error.js';
import type { RemoteSettings } from '../remote/remote-settings.js';
import { answers, type KnownService } from '../run/known-service.js';
import { accepts } from '../run/used-service.js';
import { type CheckResult, fail, ok, warn } from './check.js';

/** Checks the service that commands call, or the one on the data folder, and the API key. */
export const checkService = async (
  remote: RemoteSettings | undefined,
  local: KnownService | undefined,
  apiKey: string | undefined,
): Promise<readonly CheckResult[]> => {
  const url = remote?.url ?? local?.url;
  if (url === undefined)
    return [ok('service', 'none runs on the data folder; `palimpsest serve` and `palimpsest run` start one')];
  if (!(await answers(url)))
    return [
      fail(
        'service',
        `none answers at ${url}`,
        'start it with `palimpsest serve`, or correct PALIMPSEST_URL',
      ),
    ];
  const service = ok('service', `running at ${url}`);
  const key = remote?.apiKey ?? apiKey;
  if (key === undefined)
    return [
      service,
      warn(
        'API key',
        'PALIMPSEST_API_KEY is not set',
        'set it; the first key is in `first-api-key` of the data folder',
      ),
    ];
  return [
    service,
    (await answered(accepts(url, key)))
      ? ok('API key', 'accepted by the service')
      : fail(
          'API key',
          'refused by the service',
          'set PALIMPSEST_API_KEY to a valid key; `palimpsest keys add` issues one',
        ),
  ];
};
