import type { SessionSummary } from '@app/ports';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, asData, refIn, text } from '../results.js';
import type { McpSource } from '../source.js';

const input = z.object({
  agent: z.string().max(200).optional().describe('Program that runs the session, such as "claude-code"'),
  project: z.string().max(256).optional(),
  user: z.string().max(256).optional().describe('Label "user" of the session'),
  customer: z.string().max(256).optional().describe('Label "customer" of the session'),
  title: z.string().max(200).optional().describe('Words of the title'),
  parent: z.string().max(200).optional().describe('ID of a session whose child sessions are listed'),
  limit: z.int().min(1).max(100).default(20),
});

/** Registers the tool that lists sessions. */
export const registerSessions = (server: McpServer, source: McpSource): void => {
  server.registerTool(
    'sessions',
    {
      title: 'List sessions',
      description: 'Lists sessions, latest activity first, one JSON object a line: IDs, titles and sizes.',
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ agent, project, user, customer, title, parent, limit }) =>
      answering(async () => {
        const labels = Object.entries({ user, customer }).flatMap(([name, value]) =>
          value === undefined ? [] : [{ name, value }],
        );
        const filter = {
          ...(agent !== undefined && { agent }),
          ...(project !== undefined && { project }),
          ...(title !== undefined && { title }),
          ...(parent !== undefined && { parent: refIn(source, parent).session }),
          ...(labels.length > 0 && { labels }),
        };
        const lines = (await firstOf(source.sessions(filter), limit)).map(lineOf);
        if (lines.length === 0) return { content: [text('There is no such session.')] };
        return asData(
          `${lines.length === 1 ? '1 session' : `${lines.length} sessions`}, latest activity first.`,
          [{ label: 'JSON lines', content: text(lines.join('\n')) }],
        );
      }),
  );
};

/** Returns the first items of a list. */
export const firstOf = async <Item>(items: AsyncIterable<Item>, limit: number): Promise<readonly Item[]> => {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
};

const lineOf = (summary: SessionSummary): string => {
  const { session, title, agent, project, messages, compactions, occupancy, window, lastActivityAt } =
    summary;
  const shown = { session, title, agent, project, messages, compactions, occupancy, window, lastActivityAt };
  return JSON.stringify(shown);
};
