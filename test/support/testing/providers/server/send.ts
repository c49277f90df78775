import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Disturbance } from '../replies/disturbance.js';
import type { Outgoing } from './outgoing.js';

/** Sends an answer with its disturbance. Resolves when nothing more will be sent. */
export const send = async (outgoing: Outgoing, response: ServerResponse): Promise<void> => {
  switch (outgoing.kind) {
    case 'silence':
      return;
    case 'hang-up':
      response.destroy();
      return;
    case 'body': {
      const { status, headers, body, disturbance } = outgoing;
      response.writeHead(status, { ...headers, 'content-length': lengthOf(body, disturbance) });
      const whole =
        disturbance && 'afterEvents' in disturbance ? { ...disturbance, afterEvents: 0 } : disturbance;
      return sendFrames([body], () => [], whole, response);
    }
    case 'stream':
      response.writeHead(200, {
        ...outgoing.headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      });
      return sendFrames(outgoing.frames, outgoing.errorFrames, outgoing.disturbance, response);
  }
};

/** A truncated answer is complete by its header: only its JSON shows that a part is missing. */
const lengthOf = (body: string, disturbance: Disturbance | undefined): number =>
  disturbance?.kind === 'end' || disturbance?.kind === 'garbage'
    ? firstHalf(body).length
    : Buffer.byteLength(body);

type ErrorFrames = Extract<Outgoing, { kind: 'stream' }>['errorFrames'];

const sendFrames = async (
  frames: readonly string[],
  errorFrames: ErrorFrames,
  disturbance: Disturbance | undefined,
  response: ServerResponse,
): Promise<void> => {
  if (!disturbance) {
    for (const frame of frames) response.write(frame);
    response.end();
    return;
  }
  if (disturbance.kind === 'drip') return drip(frames.join(''), disturbance, response);
  const before = Math.min(disturbance.afterEvents, frames.length);
  for (const frame of frames.slice(0, before)) response.write(frame);
  const rest = frames.slice(before);
  const isBody = frames.length === 1 && !frames[0]?.endsWith('\n\n');
  switch (disturbance.kind) {
    case 'gate':
      response.flushHeaders();
      await disturbance.until;
      for (const frame of rest) response.write(frame);
      response.end();
      return;
    case 'error':
      response.end(errorFrames(disturbance.failure, disturbance.form).join(''));
      return;
    case 'end':
      response.end(isBody ? firstHalf(rest[0] ?? '') : undefined);
      return;
    case 'garbage':
      response.end(isBody ? firstHalf(rest[0] ?? '') : `${halfOfFrame(rest[0] ?? '')}\n\n`);
      return;
    case 'stall':
      response.write(firstHalf(rest[0] ?? ' '));
      return;
    case 'cut':
      await arrived(firstHalf(rest[0] ?? ' '), response);
      response.destroy();
  }
};

const drip = async (
  whole: string,
  { bytes, everyMs }: Extract<Disturbance, { kind: 'drip' }>,
  response: ServerResponse,
): Promise<void> => {
  const all = Buffer.from(whole);
  for (let from = 0; from < all.length && !response.destroyed; from += bytes) {
    response.write(all.subarray(from, from + bytes));
    await (everyMs > 0 ? setTimeout(everyMs) : setImmediate());
  }
  response.end();
};

const firstHalf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
};

/** Returns the lines before the data, and half of the data. */
const halfOfFrame = (frame: string): string => {
  const from = frame.indexOf('data: ') + 'data: '.length;
  return frame.slice(0, from + Math.floor((frame.length - from) / 2)).trimEnd();
};

const arrived = (bytes: Buffer, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.write(bytes, () => resolve()));
