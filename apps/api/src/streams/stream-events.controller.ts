import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ContentLevel, EventHub, type StreamReader } from '@app/application';
import { eventType } from '@app/contract';
import { type LogPosition, readLogPosition } from '@app/kernel';
import type { Principal } from '@app/ports';
import { Controller, Inject, type OnModuleDestroy, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf, whenKeyEnds } from '../http/access.guard.js';
import { contentForbidden, mayReadContent } from '../http/content/content.js';
import { ContentReads } from '../http/content/content-reads.js';
import { Endpoint } from '../http/endpoint.js';
import { InvalidRequest } from '../http/problems.js';
import { valid } from '../http/valid.js';
import { sessionId } from '../sessions/shapes.js';
import { STREAM_PACE } from '../symbols.js';
import { endFrame, frameOf, heartbeatFrame, openingFrame } from './frame-cache.js';

/** Returns a schema for a repeatable query parameter. */
const several = <Item>(item: z.ZodType<Item>, described: string) =>
  z
    .union([item.transform((one) => [one]), z.array(item).max(100)])
    .default([])
    .describe(described);

const POSITION = 'give the id of an event of this stream';
const position = z.string().transform((text, context): LogPosition => {
  const position = readLogPosition(text);
  if (position !== undefined) return position;
  context.addIssue({ code: 'custom', message: POSITION });
  return z.NEVER;
});

const query = z.strictObject({
  session: several(sessionId, 'Events of this session alone; may be repeated'),
  type: several(eventType, 'Events of this type alone; may be repeated'),
  after: position
    .exactOptional()
    .describe('Resume after the event with this ID; `Last-Event-ID` takes precedence'),
  from: z.enum(['start', 'now']).default('now').describe('Start of the stream without an ID'),
  follow: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .describe('`false` ends the stream at the current end of the log'),
  content: z
    .enum(['none', 'full'])
    .exactOptional()
    .describe(
      '`full` includes text: the default of keys with the permission `content:read`, which it requires',
    ),
});

const headers = z.object({
  'Last-Event-ID': position
    .exactOptional()
    .describe('Resume after the event with this ID; takes precedence over `after`'),
});

const PATH = 'v1/stream';

/** `GET /v1/stream` */
@Controller()
export class StreamEventsController implements OnModuleDestroy {
  constructor(
    @Inject(EventHub) private readonly hub: EventHub,
    @Inject(STREAM_PACE) private readonly pace: StreamPace,
    @Inject(ContentReads) private readonly reads: ContentReads,
  ) {}

  /** Ends all streams; the closing server would wait for them otherwise. */
  async onModuleDestroy(): Promise<void> {
    await this.hub.close();
  }

  @Endpoint('GET', 'v1/stream', {
    id: 'streamEvents',
    summary: 'Streams the events of the tenant as server-sent events.',
    roles: ['agent', 'operator', 'auditor', 'admin'],
    content: 'streamed',
    query,
    headers,
    produces: ['text/event-stream'],
    response: z.string().describe('`id` is the position, `event` the type, `data` JSON: see /asyncapi.json'),
    errors: ['content-forbidden', 'too-many-readers', 'position-ahead', 'event-store-unavailable'],
  })
  async stream(
    @Query(valid(query)) given: z.output<typeof query>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const principal = principalOf(request);
    const content = contentFor(principal, given.content);
    const { session: sessions, type: types, follow } = given;
    const filter = { tenant: principal.tenant, sessions, types, follow };
    const after = lastEventId(request) ?? given.after ?? given.from;
    const reader = await this.hub.open(filter, after);
    if (content === 'full') await this.#record(request, reader, { after: String(after) });
    if (reply.raw.destroyed || request.socket.destroyed) return reader.end('gone'); // The client disconnected during the query.
    reply.hijack();
    const socket = reply.raw;
    socket.writeHead(200, { ...headersOf(reply), ...STREAM_HEADERS });
    whenKeyEnds(request, socket, () => reader.end('key-ended'));
    const written = writeStream(socket, reader, { content, heartbeatMs: this.pace.heartbeatMs });
    if (content !== 'full') return written;
    await this.reads.whenEnded(written, () => this.#recordEnd(request, reader));
  }

  /** Records the read with its filters and start before any event is sent. */
  async #record(
    request: FastifyRequest,
    reader: StreamReader,
    besides: Readonly<Record<string, string>>,
  ): Promise<void> {
    try {
      await this.reads.record(request, { method: 'GET', path: PATH }, {}, besides);
    } catch (error) {
      reader.end('gone');
      throw error;
    }
  }

  /** Records the end position of the read; missing if the process is killed. */
  #recordEnd(request: FastifyRequest, { position }: StreamReader): Promise<void> {
    return this.reads.record(request, { method: 'GET', path: PATH }, {}, { until: String(position) });
  }
}

/** `connection: close`: the shutdown does not wait for a kept-alive connection. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
};

const headersOf = (reply: FastifyReply): Record<string, number | string | string[]> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

const contentFor = (principal: Principal, asked: ContentLevel | undefined): ContentLevel => {
  const isFull = mayReadContent(principal);
  if (asked === 'full' && !isFull) throw contentForbidden(', or ask for `content=none`');
  return asked ?? (isFull ? 'full' : 'none');
};

const lastEventId = ({ headers }: FastifyRequest): LogPosition | undefined => {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  const parsed = position.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest([{ at: 'Last-Event-ID', problem: POSITION }]);
};

type StreamPace = { readonly heartbeatMs: number };

type Options = {
  readonly content: ContentLevel;
  readonly heartbeatMs: number;
};

/** Heartbeats without a drained socket after which a reader counts as too slow or disconnected. */
const STALLED_HEARTBEATS = 4;
/** Milliseconds to flush the buffer of an ended reader. */
const FLUSH_MS = 2_000;

/** Writes the events of a reader until it ends, with backpressure: for a slow client only positions wait, not bytes. */
const writeStream = async (
  socket: ServerResponse,
  reader: StreamReader,
  { content, heartbeatMs }: Options,
): Promise<void> => {
  socket.on('close', () => reader.end('gone'));
  socket.on('error', () => reader.end('gone'));
  let stalled = 0;
  socket.on('drain', () => {
    stalled = 0;
  });
  const heartbeat = setInterval(() => {
    if (!socket.writableNeedDrain) return void socket.write(heartbeatFrame(reader.position));
    stalled += 1;
    if (stalled >= STALLED_HEARTBEATS) reader.end('too-slow');
  }, heartbeatMs);
  try {
    socket.write(openingFrame(reader.position));
    for await (const event of reader.events()) {
      if (!socket.write(frameOf(event, content))) await drained(socket, reader.ended);
    }
  } finally {
    clearInterval(heartbeat);
    endStream(socket, reader);
  }
};

const drained = async (socket: ServerResponse, ended: AbortSignal): Promise<void> => {
  if (ended.aborted) return;
  await once(socket, 'drain', { signal: ended }).catch(() => undefined);
};

/** Ends the response with the position to resume from. */
const endStream = (socket: ServerResponse, { reason = 'gone', position }: StreamReader): void => {
  if (socket.destroyed) return;
  if (reason === 'gone') return void socket.end();
  const late = setTimeout(() => socket.destroy(), FLUSH_MS);
  socket.on('close', () => clearTimeout(late));
  socket.end(endFrame(reason, position));
};
