import { GetContext } from '@app/application';
import { parseAsOf, safeEnd } from '@app/kernel';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, asData, refIn, text } from '../results.js';
import type { McpSource } from '../source.js';
import { sessionArgument } from './arguments.js';

/** Characters of one answer. */
const CHARACTERS_MAX = 60_000;

const input = z.object({
  session: sessionArgument,
  as_of: z
    .union([z.int().min(0), z.string().max(200)])
    .optional()
    .describe(
      'A revision, a time (ISO 8601) or the ID of a request, for the context as it was; now without it',
    ),
  offset: z.int().min(0).default(0).describe('Characters to skip, where a former answer was cut'),
});

/** Registers the tool that returns the request that a session sends, or sent, to its model. */
export const registerContext = (server: McpServer, source: McpSource): void => {
  server.registerTool(
    'context',
    {
      title: 'Read a context',
      description:
        'Returns the request that the session sends to its model, now or as of an earlier state: system prompt, tools, summary and messages, with its size.',
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (asked) => answering(() => context(source, asked)),
  );
};

const context = async (source: McpSource, { session, as_of: given, offset }: z.output<typeof input>) => {
  const ref = refIn(source, session);
  const asOf = given === undefined ? undefined : parseAsOf(String(given));
  const filters = { tool: 'context', ...(asOf !== undefined && { asOf: String(asOf) }) };
  const view = await source.read(new GetContext(ref, 'anthropic', asOf), filters);
  const whole = view.body ?? JSON.stringify(view.request);
  const end = safeEnd(whole, offset + CHARACTERS_MAX);
  const size =
    view.window > 0 ? `${view.tokens} of ${view.window} billed tokens` : `${view.tokens} billed tokens`;
  const about = `Context of session ${ref.session} at revision ${view.revision}: ${size} (${view.state}), compaction in force: ${view.pivot ?? 'none'}, format ${view.format}.`;
  const original = {
    label: `characters ${offset}-${end} of ${whole.length}`,
    content: text(whole.slice(offset, end)),
  };
  const rest = end < whole.length ? [`It continues: call context with "offset": ${end}.`] : [];
  return asData(about, [original], rest);
};
