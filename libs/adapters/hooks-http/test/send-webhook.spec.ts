import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { allowedAddresses, isPublicAddress, requireAllowedUrl } from '../src/webhooks/addresses.js';
import { sendWebhook, type WebhookSenderOptions } from '../src/webhooks/send-webhook.js';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.from('another one, which replaces it').toString('base64')}`;
const OPEN: WebhookSenderOptions = { allowPrivate: true, timeLimitMs: 10_000 };
const GUARDED: WebhookSenderOptions = { allowPrivate: false, timeLimitMs: 10_000 };

describe('sending a webhook', () => {
  let server: Server | undefined;
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];

  /** Starts a receiver with a request listener; returns its URL. */
  const receiver = async (answer: RequestListener): Promise<string> => {
    const made = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes) => {
        body += bytes;
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        answer(request, response);
      });
    });
    server = made;
    await new Promise<void>((listening) => made.listen(0, '127.0.0.1', listening));
    const address = made.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`;
  };
  const callTo = (url: string, secrets = [SECRET]) => ({
    url,
    id: 'evt_1',
    body: '{"specversion":"1.0"}',
    secrets,
  });

  afterEach(async () => {
    received.length = 0;
    server?.closeAllConnections();
    await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
    server = undefined;
  });

  it('signs with each active secret', async () => {
    const url = await receiver((_, response) => response.writeHead(204).end());
    const answer = await sendWebhook(callTo(url, [NEXT_SECRET, SECRET]), {
      ...OPEN,
      now: () => 1_700_000_000_500,
    });
    expect(answer).toEqual({ kind: 'delivered', status: 204 });
    const { headers, body } = received[0] ?? { headers: {}, body: '' };
    const expected = [NEXT_SECRET, SECRET].map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`evt_1.1700000000.${body}`).digest('base64')}`;
    });
    expect(headers['webhook-signature']).toBe(expected.join(' '));
    expect(headers).toMatchObject({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'content-type': 'application/cloudevents+json; charset=utf-8',
    });
  });

  it('follows no redirect', async () => {
    const url = await receiver((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await sendWebhook(callTo(url), OPEN)).toEqual({ kind: 'refused', status: 307 });
    expect(received).toHaveLength(1);
  });

  it('returns the delay from Retry-After', async () => {
    const answers = ['120', 'Tue, 14 Nov 2023 22:14:20 GMT', 'soon'];
    const url = await receiver((_, response) =>
      response.writeHead(503, { 'retry-after': answers[received.length - 1] ?? '' }).end(),
    );
    const options = { ...OPEN, now: () => 1_700_000_000_000 };
    expect(await sendWebhook(callTo(url), options)).toEqual({
      kind: 'refused',
      status: 503,
      retryAfterMs: 120_000,
    });
    expect(await sendWebhook(callTo(url), options)).toEqual({
      kind: 'refused',
      status: 503,
      retryAfterMs: 60_000,
    });
    expect(await sendWebhook(callTo(url), options)).toEqual({ kind: 'refused', status: 503 });
  });

  it('returns the reason if the receiver is unreachable', async () => {
    const silent = await receiver(() => undefined);
    const limited = { ...OPEN, timeLimitMs: 50 };
    expect(await sendWebhook(callTo(silent), limited)).toEqual({ kind: 'unreachable', reason: 'timed-out' });
    const dropping = 'http://127.0.0.1:1/';
    expect(await sendWebhook(callTo(dropping), OPEN)).toEqual({
      kind: 'unreachable',
      reason: 'connection-failed',
    });
  });

  it('connects to no private address, in any notation', async () => {
    const url = await receiver((_, response) => response.writeHead(204).end());
    const { port } = new URL(url);
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'localhost',
    ];
    for (const host of hosts) {
      expect(await sendWebhook(callTo(`http://${host}:${port}/`), GUARDED)).toEqual({
        kind: 'unreachable',
        reason: 'address-forbidden',
      });
    }
    expect(received).toEqual([]);
  });

  it.each([
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '169.254.170.2',
    '[fd00:ec2::254]',
    '[::ffff:169.254.169.254]',
  ])('connects to no metadata service at %s, under any setting', async (host) => {
    const open = { ...GUARDED, allowPrivate: true };
    const forbidden = { kind: 'unreachable', reason: 'address-forbidden' };
    expect(await sendWebhook(callTo(`http://${host}/`), open)).toEqual(forbidden);
    const address = host.replace(/[[\]]/g, '');
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
    expect(await sendWebhook(callTo('http://named.example/'), { ...open, resolve })).toEqual(forbidden);
    await expect(requireAllowedUrl(new URL(`http://${host}/`), allowedAddresses(true))).rejects.toThrow(
      'allowed',
    );
  });

  it('refuses a host name that resolves to a private address after registration', async () => {
    const url = await receiver((_, response) => response.writeHead(204).end());
    const { port } = new URL(url);
    const answers = [[{ address: '93.184.216.34', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const resolve = async () => answers.shift() ?? [];
    const rebound = new URL(`http://rebound.example:${port}/`);
    await requireAllowedUrl(rebound, allowedAddresses(false), resolve);
    expect(await sendWebhook(callTo(rebound.href), { ...GUARDED, resolve })).toEqual({
      kind: 'unreachable',
      reason: 'address-forbidden',
    });
    const mixed = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await expect(requireAllowedUrl(rebound, allowedAddresses(false), mixed)).rejects.toThrow('allowed');
    expect(received).toEqual([]);
  });
});

describe('an address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'is public: %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '10.1.2.3',
    '100.64.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:a00:1::',
    'no address',
  ])('is not public: %s', (address) => expect(isPublicAddress(address)).toBe(false));
});
