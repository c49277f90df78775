import { once } from 'node:events';
import type { GatewayAnswer } from '@app/application';
import { aboutError, logLine } from '@app/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenKeyEnds } from '../http/access.guard.js';
import { SESSION_HEADER } from '../http/session-header.js';

/** Streams an answer to the client. The work is aborted when the client disconnects or its key is revoked or expires. */
export const streamAnswer = async (
  request: FastifyRequest,
  reply: FastifyReply,
  respond: (signal: AbortSignal) => Promise<GatewayAnswer>,
): Promise<void> => {
  const aborted = new AbortController();
  const { raw: socket } = reply;
  socket.on('close', () => aborted.abort());
  whenKeyEnds(request, socket, () => socket.destroy());
  const answer = await respond(aborted.signal).catch((error: unknown) => {
    if (!aborted.signal.aborted) throw error;
  });
  if (!answer) return void reply.hijack(); // The client has disconnected.
  const { status, headers, body, session } = answer;
  const named = session === undefined ? {} : { [SESSION_HEADER]: session };
  void reply.headers(named);
  reply.hijack();
  if (socket.destroyed) return;
  const own = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  // `named` comes last: an upstream that is a gateway itself sends a session header of its own.
  socket.writeHead(status, { ...Object.fromEntries(own), ...headers, ...named });
  try {
    for await (const bytes of body) {
      if (!socket.write(bytes)) await once(socket, 'drain', { signal: aborted.signal });
    }
    socket.end();
  } catch (error) {
    // The connection is cut, so that the client does not take the truncated stream for a complete one.
    if (!aborted.signal.aborted)
      logLine('warn', { event: 'gateway-stream-broken', session, ...aboutError(error) });
    socket.destroy();
  }
};
