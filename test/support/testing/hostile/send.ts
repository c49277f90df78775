import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileRequest } from './requests.js';

export type HostileAnswer = {
  /** `undefined` if the connection ended without an answer, or the client gave up. */
  readonly status: number | undefined;
  readonly type: string;
  readonly retryAfter?: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
  /** The client has timed out. */
  readonly gaveUp: boolean;
  readonly ms: number;
};

/**
 * Milliseconds that a client waits for an answer, and for the rest of one: ten times the slowest answer, an erasure, on a machine
 * without other work.
 */
const TIMEOUT_MS = 100_000;
const STREAM_MS = 150;
const TEXT_MAX = 262_144;
const PIECE_PAUSE_MS = 2;

/** Keeps connections alive, as clients do. */
export const openAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request as its delivery says. Never rejects. */
export const send = (url: string, agent: Agent, sent: HostileRequest): Promise<HostileAnswer> =>
  new Promise((resolve) => {
    const began = performance.now();
    const { hostname, port } = new URL(url);
    const { method, path, body, delivery } = sent;
    const headers = { ...sent.headers, ...lengthOf(sent) };
    let gaveUp = false;
    const outgoing = ask({
      hostname,
      port,
      method,
      path,
      headers,
      agent: delivery === 'whole' ? agent : false,
    });
    const settle = (answer: Partial<HostileAnswer>): void => {
      clearTimeout(timer);
      resolve({ status: undefined, type: '', text: '', gaveUp, ms: performance.now() - began, ...answer });
      if (delivery !== 'whole') outgoing.destroy();
    };
    const timer = setTimeout(() => {
      gaveUp = true;
      outgoing.destroy();
    }, TIMEOUT_MS);
    let isAnswered = false;
    const end = (): void => void (isAnswered || settle({}));
    outgoing.on('error', end).on('close', end);
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      void read(incoming).then(settle);
    });
    void deliver(outgoing, body, delivery);
  });

const lengthOf = ({ body, delivery, index }: HostileRequest): Readonly<Record<string, string>> => {
  if (!body) return {};
  if (delivery === 'short') return { 'content-length': String(body.length - 1) };
  // Every third body is chunked, without a length.
  return index % 3 === 0 ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body.length) };
};

const deliver = async (
  outgoing: ReturnType<typeof ask>,
  body: Buffer | undefined,
  delivery: HostileRequest['delivery'],
): Promise<void> => {
  const all = body ?? Buffer.alloc(0);
  const half = all.subarray(0, all.length >> 1);
  if (delivery === 'half') return void outgoing.write(half); // Never sends the rest.
  if (delivery === 'cut') {
    outgoing.write(half, () => outgoing.destroy());
    return;
  }
  if (delivery === 'short') return void outgoing.end(all.subarray(0, -1));
  if (delivery === 'slow') {
    const size = Math.ceil(all.length / 8);
    for (let at = 0; at < all.length && !outgoing.destroyed; at += size) {
      outgoing.write(all.subarray(at, at + size));
      await sleep(PIECE_PAUSE_MS);
    }
    return void outgoing.end();
  }
  outgoing.end(body);
};

/** Reads the beginning of an answer; of a stream its first moment. */
const read = async (incoming: IncomingMessage): Promise<Partial<HostileAnswer>> => {
  const type = incoming.headers['content-type'] ?? '';
  const pieces: Buffer[] = [];
  let bytes = 0;
  const isStream = type.startsWith('text/event-stream');
  const late = isStream ? setTimeout(() => incoming.destroy(), STREAM_MS) : undefined;
  try {
    for await (const piece of incoming) {
      if (bytes < TEXT_MAX) pieces.push(piece);
      bytes += piece.length;
    }
  } catch {
    // An interrupted answer is judged by the received part.
  }
  clearTimeout(late);
  const { 'retry-after': retryAfter } = incoming.headers;
  return { status: incoming.statusCode, type, retryAfter, text: Buffer.concat(pieces).toString('utf8') };
};
