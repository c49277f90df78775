import { Agent, createServer, request } from 'node:http';
import { listening } from './model.js';

/** The minimum of a gateway: reads a request completely, forwards it, and pipes the answer back. */
export const startBareProxy = (upstream: string): Promise<{ url: string; close(): void }> => {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    request(`${upstream}${incoming.url}`, { method: 'POST', agent, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    }).end(body);
  });
  return listening(server);
};
