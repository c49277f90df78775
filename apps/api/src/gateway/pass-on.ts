import { once } from 'node:events';
import type { GatewayAnswer } from '@app/application';
import { aboutError, logLine } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenKeyEnds } from '../http/access.guard.js';
import { SESSION_HEADER } from '../http/session-header.js';

/** Answers a client with what comes, as it comes. When the client goes, or its key ends, so does what is done for it. */
export const passOn = async (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (signal: AbortSignal) => Promise<GatewayAnswer>,
): Promise<void> => {
  const gone = new AbortController();
  const { raw: socket } = reply;
  socket.on('close', () => gone.abort());
  whenKeyEnds(request, socket, () => socket.destroy());
  const answered = await answer(gone.signal).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  if (!answered) return void reply.hijack(); // Nobody is there to be told, and it is nobody’s fault.
  const { status, headers, body, session } = answered;
  const named = session === undefined ? {} : { [SESSION_HEADER]: session };
  void reply.headers(named);
  reply.hijack();
  if (socket.destroyed) return;
  const own = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  // An upstream that is a gateway, too, has a session of its own.
  socket.writeHead(status, { ...Object.fromEntries(own), ...headers, ...named });
  try {
    for await (const bytes of body) {
      if (!socket.write(bytes)) await once(socket, 'drain', { signal: gone.signal });
    }
    socket.end();
  } catch (error) {
    // A stream that breaks off is broken off: nobody takes it for a whole one.
    if (!gone.signal.aborted)
      logLine('warn', { event: 'gateway-stream-broken', session, ...aboutError(error) });
    socket.destroy();
  }
};
