import {
  SEARCH_MATCHES_DEFAULT,
  SEARCH_MATCHES_MAX,
  SEARCH_TEXT_MAX,
  SearchMessages,
} from '@app/application';
import { MessageId } from '@app/kernel';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, asData, text as line, refIn } from '../results.js';
import type { McpSource } from '../source.js';
import { sessionArgument } from './arguments.js';

const input = z.object({
  text: z
    .string()
    .min(1)
    .max(SEARCH_TEXT_MAX)
    .describe('Words to find, as they stand in the messages; case does not matter'),
  session: sessionArgument,
  limit: z.number().int().min(1).max(SEARCH_MATCHES_MAX).default(SEARCH_MATCHES_DEFAULT),
  before: z.string().max(200).optional().describe('Search the messages before this one'),
});

/** Registers the tool that finds original messages by their text. */
export const registerSearch = (server: McpServer, source: McpSource): void => {
  server.registerTool(
    'search',
    {
      title: 'Search original messages',
      description:
        'Finds messages of a session by words in their original text, newest first, also behind summaries. Read a match whole with the tool "recall".',
      inputSchema: input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (asked) => answering(() => search(source, asked)),
  );
};

const search = async (source: McpSource, { text, session, limit, before }: z.output<typeof input>) => {
  const ref = refIn(source, session);
  const options = { limit, ...(before !== undefined && { before: MessageId(before) }) };
  const found = await source.read(new SearchMessages(ref, { text, ...options }), { tool: 'search', text });
  const rest =
    found.before === null
      ? 'The whole session was searched.'
      : `Older messages were not searched: call search with "before": "${found.before}".`;
  if (found.matches.length === 0)
    return { content: [line(`No match in ${found.searched} messages of session ${ref.session}. ${rest}`)] };
  const originals = found.matches.map(({ message, role, block, revision, excerpt }) => ({
    label: `message ${message} (${role}), block ${block}, revision ${revision}`,
    content: line(excerpt),
  }));
  return asData(
    `${found.matches.length === 1 ? '1 match' : `${found.matches.length} matches`} in session ${ref.session}, newest first.`,
    originals,
    [rest],
  );
};
