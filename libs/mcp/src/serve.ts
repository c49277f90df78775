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

/** Serves one client over stdin and stdout of this process until `ended` resolves: when the client closes stdin. */
export const serveMcpOverStdio = (
  source: McpSource,
): { readonly handle: StdioServerHandle; readonly ended: Promise<void> } => {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const handle = serveStdio(() => mcpServer(source), { maxSubscriptions: SUBSCRIPTIONS_MAX });
  return { handle, ended };
};
