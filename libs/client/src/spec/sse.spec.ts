import { afterEach, describe, expect, it } from '@jest/globals';
import { EventParser } from '../streams/event-parser.js';
import { type ServerSent, type StreamOptions, serverSent } from '../streams/sse.js';
import { Transport } from '../transport/transport.js';
import { events, hangUp, problem, type Reaction, ScriptedServer, silence } from './scripted-server.js';

const servers: ScriptedServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const against = async (...script: readonly Reaction[]) => {
  const server = await ScriptedServer.start(...script);
  servers.push(server);
  const waits: number[] = [];
  const parts = { pause: async (ms: number) => void waits.push(ms), random: () => 0, newKey: () => 'key' };
  const transport = new Transport({ url: server.url, apiKey: 'k', retries: 1 }, parts);
  return { server, transport, waits };
};

const event = (id: number): string => `id: ${id}\nevent: Happened\ndata: {"n":${id}}\n\n`;

/** The wanted number of events, then the reader leaves. */
const taken = async (
  transport: Transport,
  count: number,
  options: StreamOptions = {},
): Promise<ServerSent[]> => {
  const found: ServerSent[] = [];
  for await (const one of serverSent(transport, { session: 's' }, options)) {
    found.push(one);
    if (found.length === count) break;
  }
  return found;
};
const ids = (found: readonly ServerSent[]): readonly string[] => found.map(({ id }) => id);

describe('the event stream parser', () => {
  const text = 'id: 1\r\nevent: A\r\ndata: one\r\ndata: two\r\n\r\n:c\ndata:x\n\nid\n\nwhat: ever\n\n';
  const parsed = [{ id: '1', event: 'A', data: 'one\ntwo' }, { data: 'x' }, { id: '' }];

  it.each([text.length, 7, 2, 1])('accepts text in chunks of %d', (size) => {
    const parser = new EventParser();
    const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    expect(parts.flatMap((part) => parser.feed(part))).toEqual(parsed);
  });
});

describe('an event stream', () => {
  it('ends before an event that the service cannot read, with the position after it', async () => {
    const notice = 'id: 2\nevent: event-unreadable\ndata: {"position":"2","session":"s","revision":1}\n\n';
    const { transport } = await against(events(`${event(1)}${notice}${event(3)}`, 'stay'));
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { id } of serverSent(transport, {})) seen.push(id);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'corrupt-event',
      problem: { position: '2', session: 's', revision: 1 },
    });
    expect(seen).toEqual(['1']);
  });

  it('yields events without heartbeats', async () => {
    const { transport, server } = await against(
      events(`: hello\n\n${event(1)}: beat\n\n${event(2)}`, 'stay'),
    );
    expect(await taken(transport, 2)).toEqual([
      { id: '1', event: 'Happened', data: '{"n":1}' },
      { id: '2', event: 'Happened', data: '{"n":2}' },
    ]);
    expect(server.received[0]).toMatchObject({
      path: '/v1/stream?session=s',
      headers: { accept: 'text/event-stream' },
    });
  });

  it.each(['end', 'break'] as const)(
    'goes on behind the last event when the connection comes to its end: %s',
    async (how) => {
      const { transport, server } = await against(
        events(event(1) + event(2), how),
        hangUp,
        events(event(3), how),
        events(event(4), 'stay'),
      );
      const states: boolean[] = [];
      const onConnection = (isOpen: boolean): void => void states.push(isOpen);
      expect(ids(await taken(transport, 4, { onConnection }))).toEqual(['1', '2', '3', '4']);
      expect(states).toEqual([true, false, true, false, true, false]);
      expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([
        undefined,
        '2',
        '2',
        '3',
      ]);
    },
  );

  it('resumes at the position of the caller', async () => {
    const { transport, server } = await against(events(event(8), 'stay'));
    await taken(transport, 1, { lastEventId: '7' });
    expect(server.received[0]?.headers['last-event-id']).toBe('7');
  });

  it('reconnects after a connection without any data', async () => {
    const { transport } = await against(events(event(1), 'stay'), events(event(2), 'stay'));
    expect(ids(await taken(transport, 2, { silenceMs: 50 }))).toEqual(['1', '2']);
  });

  it('resumes at the position of a heartbeat even without an earlier event', async () => {
    const { transport, server } = await against(
      events('id: 40\n\n: heartbeat\nid: 41\n\nid: 42\nda', 'break'),
      events(event(42), 'stay'),
    );
    expect(ids(await taken(transport, 1))).toEqual(['42']);
    expect(server.received[1]?.headers['last-event-id']).toBe('41');
  });

  it('reconnects after the service has ended the connection', async () => {
    const farewell = 'id: 5\nevent: stream-ended\ndata: {"reason":"too-slow"}\n\n';
    const { transport, server } = await against(events(event(1) + farewell, 'end'), events(event(6), 'stay'));
    expect(ids(await taken(transport, 2))).toEqual(['1', '6']);
    expect(server.received[1]?.headers['last-event-id']).toBe('5');
  });

  it('reconnects after the delay that the service requests', async () => {
    const { transport, waits } = await against(
      events(`retry: 1500\n${event(1)}`, 'end'),
      events(event(2), 'stay'),
    );
    await taken(transport, 2);
    expect(waits).toEqual([1_625]);
  });

  it('ends when the service rejects it', async () => {
    const { transport } = await against(events(event(1), 'end'), problem(401, 'unauthenticated'));
    await expect(taken(transport, 2)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('ends if the service was never reachable', async () => {
    const { transport } = await against(hangUp);
    await expect(taken(transport, 1)).rejects.toMatchObject({ code: 'service-unreachable', attempts: 2 });
  });

  it('ends with the reason of the signal, also while it waits', async () => {
    const cancelling = new AbortController();
    const { transport } = await against(events(event(1), 'stay'));
    const reading = async (): Promise<void> => {
      for await (const _ of serverSent(transport, {}, { signal: cancelling.signal })) {
        setImmediate(() => cancelling.abort(new Error('enough')));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    const { transport: dead } = await against(silence);
    await expect(taken(dead, 1, { signal: cancelling.signal })).rejects.toThrow('enough');
  });
});
