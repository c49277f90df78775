import { SEARCH_MATCHES_MAX, SearchMessages } from '@app/application';
import type { TextMatches } from '@app/contract';
import type { MessageId } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { messageId } from '../options.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly limit: number; readonly before?: MessageId };

/** Defines `palimpsest search SESSION TEXT`, which finds original messages that contain a text. */
export const searchCommand = (): Command =>
  sessionCommand<Options, [string]>(
    'search',
    'Search the original messages of a session, newest first',
    {
      details: 'Finds the words in original messages, also behind summaries and in the source of a fork.',
      json: '`matches` (array of `session`, `message`, `revision`, `recordedAt`, `role`, `block`, `excerpt`), `searched` (messages), `before` (where to continue, or `null`)',
      examples: ['palimpsest search SESSION "connection refused"'],
      guide: 'recall.md',
    },
    async ({ ref, options: { limit, before }, palimpsest }, text) => {
      const options = { limit, ...(before !== undefined && { before }) };
      const found = await palimpsest.queries.execute(new SearchMessages(ref, { text, ...options }));
      return { json: found, text: render(found) };
    },
  )
    .argument('<text>', 'words to find, in any case')
    .option('--limit <matches>', 'maximum number of matches', matches, 20)
    .option('--before <message>', 'search the messages before this one', messageId);

const matches = (text: string): number => {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= SEARCH_MATCHES_MAX) return value;
  throw new InvalidArgumentError(`give a number from 1 to ${SEARCH_MATCHES_MAX}`);
};

const render = ({ matches: found, searched, before }: TextMatches): string => {
  const rest = before === null ? 'the whole session' : `go on with --before ${before}`;
  const lines = found.map(
    ({ message, role, block, revision, excerpt }) =>
      `${message} (${role}), block ${block}, revision ${revision}\n  ${excerpt.replace(/\s+/g, ' ').trim()}`,
  );
  return [...lines, `${found.length} matches in ${searched} messages: ${rest}`].join('\n');
};
