import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, any of which would keep a restarted program from listening. */
const FROM = 10_000;
const BELOW = 32_000;

/** Returns a free port of 127.0.0.1 at which a program can listen again after a restart. */
export const lastingPort = async (): Promise<number> => {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (BELOW - FROM));
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
