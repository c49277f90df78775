import { createServer } from 'node:net';
import { answers, type KnownService } from '../run/known-service.js';
import { type CheckResult, fail, ok } from './check.js';

/** Checks that the port of the service is free, or that the service itself listens on it. */
export const checkPort = async (
  host: string,
  port: number,
  service: KnownService | undefined,
): Promise<CheckResult> => {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (port === 0) return ok('port', 'any free port');
  if (service?.url === url) return ok('port', `${url}, used by the service`);
  const problem = await listen(host, port);
  if (problem === undefined) return ok('port', `${url} is free`);
  if (problem === 'EADDRINUSE' && (await answers(url))) return ok('port', `a service answers at ${url}`);
  const advice = 'set PALIMPSEST_HTTP_PORT or --port to another, or to 0 for any free one';
  return problem === 'EADDRINUSE'
    ? fail('port', `${url} is used by another program`, advice)
    : fail('port', `${url} cannot be used (${problem})`, `correct PALIMPSEST_HTTP_HOST, or ${advice}`);
};

/** Returns the code of the error with which a server cannot listen; `undefined` if it can. */
const listen = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.name));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
