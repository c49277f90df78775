import { AppError } from '@app/kernel';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { mcpServer } from './server.js';
import type { McpSource } from './source.js';

/** Tools and resources never change while a server runs, so there is nothing to subscribe to. */
const SUBSCRIPTIONS_MAX = 0;

/**
 * Answers one request of the Streamable HTTP transport, of the 2026-07-28 and earlier protocol versions, without state between
 * requests.
 *
 * @param body the parsed body.
 */
export const answerMcp = (source: McpSource, request: Request, body: unknown): Promise<Response> =>
  createMcpHandler(() => mcpServer(source), { maxSubscriptions: SUBSCRIPTIONS_MAX }).fetch(request, {
    parsedBody: body,
  });

/** The transport's message about a line beyond its buffer of 10 MiB, after which it closes without a word to the client. */
const TOO_LARGE = /exceeded maximum size/;

/**
 * Serves one client over stdin and stdout of this process until `ended` resolves: when the client closes either. It rejects
 * with `append-too-large` after a message of more than 10 MiB.
 */
export const serveMcpOverStdio = (
  source: McpSource,
): { readonly handle: StdioServerHandle; readonly ended: Promise<void> } => {
  let tooLarge = (): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    // The transport pauses stdin when it closes.
    for (const event of ['end', 'close', 'pause']) process.stdin.once(event, resolve);
    const limit = 'the client has sent a message of more than 10 MiB: send less';
    tooLarge = () => reject(new AppError('append-too-large', limit));
  });
  const onerror = ({ message }: Error): void => void (TOO_LARGE.test(message) && tooLarge());
  const handle = serveStdio(() => mcpServer(source), { maxSubscriptions: SUBSCRIPTIONS_MAX, onerror });
  return { handle, ended };
};
