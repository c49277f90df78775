import { pick, type SessionId } from '@app/kernel';
import { SESSION_SORTS, type SessionSort, type SessionSummary } from '@app/ports';
import { type Command, Option } from 'commander';
import {
  type DescriptionOptions,
  descriptionFilterIn,
  title,
  withDescriptionFilters,
} from '../description-options.js';
import { type GlobalOptions, limit, sessionId, tokenCount } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { ageText, countText } from '../output/value-text.js';
import { remoteSettings } from '../remote/remote-settings.js';
import { serviceCommand } from '../result-command.js';
import { firstOf } from '../service/pages.js';
import type { SessionSearch } from '../service/service.js';

/** The command that fills an empty list; the demo works on the local data folder only. */
const IMPORT = '`palimpsest import FILE`';
const DEMO = '`palimpsest demo`';
const STATES = ['normal', 'warning', 'critical', 'blocking'] as const;

type Options = DescriptionOptions & {
  readonly state?: SessionSummary['state'];
  readonly parent?: SessionId;
  readonly minOccupancy?: number;
  readonly title?: string;
  readonly sort: SessionSort;
  readonly limit?: number;
};

/** Defines `palimpsest sessions`, which lists matching sessions, newest activity first by default. */
export const sessionsCommand = (): Command =>
  withDescriptionFilters(
    serviceCommand<Options>(
      'sessions',
      'List and search sessions, newest activity first',
      {
        json: 'array of `session`, `profile`, `model`, `title`, `agent`, `project`, `labels`, `turns`, `messages`, `compactions`, `occupancy` (billed tokens), `window` (0 is unlimited), `state`, `revision`, `openedAt`, `lastActivityAt`',
        examples: [
          'palimpsest sessions --project shop --state critical',
          'palimpsest sessions --sort=-occupancy --limit 10',
          'palimpsest sessions --parent SESSION',
        ],
        guide: 'managing-sessions.md#titles-and-labels',
      },
      (options) => async (service) => {
        const search = searchIn(options);
        const { items, isCut } = await firstOf(service.sessions(options.tenant, search), options.limit);
        const many = countText(items.length, 'session');
        return {
          json: items,
          text: items.length > 0 ? fittingTable(COLUMNS, items) : noneText(search, options),
          ...(isCut && { note: `limited to the first ${many}: without --limit all are listed` }),
        };
      },
    ),
  )
    .addOption(new Option('--state <state>', 'in this state').choices(STATES))
    .option('--parent <session>', 'child sessions of this session', sessionId)
    .option('--min-occupancy <tokens>', 'minimum occupancy in billed tokens, such as 100k', tokenCount)
    .option('--title <words>', 'with these words in the title, upper or lower case', title)
    .addOption(
      new Option('--sort <order>', 'of the sessions').choices(SESSION_SORTS).default('-lastActivity'),
    )
    .option('--limit <sessions>', 'maximum number of sessions (default: all)', limit);

const noneText = (search: SessionSearch, options: GlobalOptions): string => {
  if (Object.keys(search).length > 1) return 'no session passes these filters';
  return `no sessions yet: ${remoteSettings(options, process.env) ? IMPORT : `${IMPORT} or ${DEMO}`} adds some`;
};

const searchIn = (options: Options): SessionSearch => ({
  sort: options.sort,
  ...descriptionFilterIn(options),
  ...pick(options, 'state', 'parent', 'minOccupancy', 'title'),
});

/** Columns in display order; a narrow terminal leaves out the last ones. */
const COLUMNS: readonly Column<SessionSummary>[] = [
  { name: 'session', of: ({ session }) => session },
  { name: 'active', of: ({ lastActivityAt }) => ageText(lastActivityAt, new Date()), isNumber: true },
  { name: 'occupancy', of: ({ occupancy, window }) => shareText(occupancy, window), isNumber: true },
  { name: 'state', of: ({ state }) => state },
  { name: 'title', of: (session) => session.title, cutTo: 20 },
  { name: 'agent', of: (session) => session.agent, cutTo: 10 },
  { name: 'project', of: (session) => session.project, cutTo: 10 },
  { name: 'turns', of: ({ turns }) => turns, isNumber: true },
  { name: 'messages', of: ({ messages }) => messages, isNumber: true },
  { name: 'compactions', of: ({ compactions }) => compactions, isNumber: true },
];

/** Returns the tokens of the next request and of the window, such as `171k/200k`; only the former if the window is unlimited. */
const shareText = (occupancy: number, window: number): string =>
  window === 0 ? tokensText(occupancy) : `${tokensText(occupancy)}/${tokensText(window)}`;

const tokensText = (tokens: number): string => {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 10_000) return `${(Math.floor(tokens / 100) / 10).toFixed(1)}k`;
  return tokens < 1_000_000 ? `${Math.floor(tokens / 1_000)}k` : `${Math.floor(tokens / 100_000) / 10}M`;
};
