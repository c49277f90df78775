import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks connections without a request, so that a closing server can destroy them. Clients open connections in advance, and
 * Node considers them busy: `close` would wait for them.
 */
export const unusedConnections = (server: Server): { close(): void } => {
  const unused = new Set<Socket>();
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    unused.add(socket);
    socket.on('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return {
    close: () => {
      isClosing = true;
      for (const socket of unused) socket.destroy();
    },
  };
};
