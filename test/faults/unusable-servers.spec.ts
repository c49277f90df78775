// Occupied ports and unusable servers: reported in one line within a time limit, without secrets.
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { expectRefusal, expectRefused, SECRET } from './support/expect-refused.js';
import { Folders } from './support/folders.js';
import { type Ended, run } from './support/palimpsest.js';

const folders = new Folders();
const data = folders.next();

afterAll(() => folders.remove());

describe('servers', () => {
  let silent: Server;
  /** Commands that wait for the silent server, each until its time limit: they begin together, before the other tests. */
  let waiting: Readonly<Record<'esdb' | 'postgres', Promise<Ended>>>;
  let web: ReturnType<typeof createHttpServer>;
  const listening = (server: Server): Promise<void> =>
    new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const portOf = (server: Server): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  const argumentsFor = (scheme: 'esdb' | 'postgres', host: string, folder = folders.next()): string[] => {
    const option = scheme === 'esdb' ? '--eventstore-url' : '--postgres-url';
    return ['sessions', '--data', folder, option, `${scheme}://u:${SECRET}@${host}/d?tls=false`];
  };

  beforeAll(async () => {
    silent = createServer();
    web = createHttpServer((_, response) => response.end('hello'));
    await Promise.all([listening(silent), listening(web)]);
    const host = `127.0.0.1:${portOf(silent)}`;
    waiting = { esdb: run(argumentsFor('esdb', host)), postgres: run(argumentsFor('postgres', host)) };
  });
  afterAll(() => {
    silent.close();
    web.close();
    web.closeAllConnections();
  });

  it.each(['eventstore', 'postgres'])('a port of the %s that is in use is rejected', (server) =>
    expectRefused(
      ['sessions', '--data', data, `--${server}-port`, String(portOf(silent))],
      /choose another one, or 0.*\[port-in-use\]/,
    ),
  );

  describe.each(['esdb', 'postgres'] as const)('a URL of scheme %s', (scheme) => {
    const says =
      scheme === 'esdb' ? /\[event-store-unavailable\]/ : /PALIMPSEST_POSTGRES_URL \[postgres-unavailable\]/;
    const refused = (host: string): Promise<void> => expectRefused(argumentsFor(scheme, host, data), says);

    it('is rejected if no server listens', () => refused('127.0.0.1:1'));
    it('is rejected for an unknown host', () => refused('no-such-host.invalid:99'));
    it('is rejected for a server that never answers', async () => expectRefusal(await waiting[scheme], says));
    it('is rejected for a server of another kind', () => refused(`127.0.0.1:${portOf(web)}`));
  });

  it('an unknown cluster is rejected', () =>
    expectRefused(
      ['sessions', '--data', data, '--eventstore-url', `esdb+discover://u:${SECRET}@no-such-host.invalid:99`],
      /PALIMPSEST_EVENTSTORE_URL \[event-store-unavailable\]/,
    ));
});
