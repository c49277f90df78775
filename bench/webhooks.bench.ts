/**
 * Deliveries of one webhook while 16 agents append, compared with the same bodies posted by a bare client: as many at
 * once, each on a connection of its own, as the sender opens them so that each address is checked.
 */
import { createServer, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { HttpCaller } from './support/http/http-caller.js';
import { readInvocation } from './support/invocation.js';
import { ADMIN_KEY, Service } from './support/load/service.js';
import { fixed, report, whole } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';
import { prose } from './support/sessions/texts.js';

const { quick, folder } = readInvocation();
const TIMES = quick ? { rounds: 2, warmUps: 1 } : { rounds: 5, warmUps: 3 };
const AGENTS = 16;
const REQUESTS_PER_AGENT = 25;
/** Concurrent attempts of one webhook. */
const AT_ONCE = 4;

/** Counts requests, and keeps the newest body. */
class Receiver {
  body = '';
  #count = 0;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  readonly #server = createServer((call, answer) => {
    const chunks: Buffer[] = [];
    call.on('data', (chunk: Buffer) => chunks.push(chunk));
    call.on('end', () => {
      this.body = Buffer.concat(chunks).toString();
      answer.writeHead(204).end();
      this.#count += 1;
      if (this.#count === this.#waiting?.count) this.#waiting.resolve();
    });
  });

  /** Resolves with its URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
  }

  /** Resolves when `count` more than so far have come. */
  more(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { count: this.#count + count, resolve };
    });
  }

  close(): void {
    this.#server.close();
  }
}

const service = await Service.start(join(folder, 'service'), { PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' });
const receiver = new Receiver();
const url = await receiver.listen();
const caller = new HttpCaller(service.url, ADMIN_KEY);
await service.admin.webhooks.register({ url });

/** An event opens each session, and one says each message. */
const EVENTS = AGENTS * (1 + 2 * REQUESTS_PER_AGENT);
const bodyOf = (at: number): string =>
  JSON.stringify({ messages: ['user', 'assistant'].map((role) => ({ role, content: prose(at, 500) })) });
let sessions = 0;
const agent = async (session: string): Promise<void> => {
  await caller.post('/v1/sessions', JSON.stringify({ session, model: 'claude-sonnet-4-5' }));
  for (let at = 0; at < REQUESTS_PER_AGENT; at += 1)
    await caller.post(`/v1/sessions/${session}/messages`, bodyOf(at));
};

const post = (body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    call.on('error', reject);
    call.on('response', (answer) => resolve(answer.resume()));
    call.end(body);
  });

const behindMs: number[] = [];
const rates = await takeTurns(
  {
    service: async () => {
      const received = receiver.more(EVENTS);
      let appendedMs = 0;
      const tookMs = await millisecondsOf(async () => {
        appendedMs = await millisecondsOf(() =>
          Promise.all(
            Array.from({ length: AGENTS }, () => {
              sessions += 1;
              return agent(`s-${sessions}`);
            }),
          ),
        );
        await received;
      });
      behindMs.push(tookMs - appendedMs);
      return (EVENTS / tookMs) * 1_000;
    },
    'bare client': async () => {
      const { body } = receiver;
      let left = EVENTS;
      const worker = async (): Promise<void> => {
        for (; left > 0; ) {
          left -= 1;
          await post(body);
        }
      };
      const tookMs = await millisecondsOf(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
      return (EVENTS / tookMs) * 1_000;
    },
  },
  TIMES,
);
caller.close();
await service.stop();
receiver.close();

const of = (name: 'service' | 'bare client'): readonly number[] => rates.get(name) ?? [];
report(
  `webhooks: one is told of ${EVENTS} events of ${AGENTS} agents at ${fixed(ratioOf(of('service'), of('bare client')))} times the rate of a bare client`,
  ['', 'deliveries a second'],
  [
    ['service', whole(median(of('service')))],
    ['bare client', whole(median(of('bare client')))],
    ['from the last append to the last delivery, ms, median', whole(median(behindMs.slice(TIMES.warmUps)))],
  ],
);
