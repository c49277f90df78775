import { formatUsd } from '@app/domain';
import { csvLine } from '@app/formats';
import { defined } from '@app/kernel';
import { type CostTotal, USAGE_GROUPS, type UsageGroup, type UsageTotals } from '@app/ports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import {
  type DescriptionOptions,
  descriptionFilterIn,
  groupOption,
  withDescriptionFilters,
} from '../description-options.js';
import type { GlobalOptions } from '../options.js';
import { fittingTable } from '../output/fitting-table.js';
import { note, print, printJson, printText } from '../output/print.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions &
  DescriptionOptions & {
    readonly by: UsageGroup;
    readonly since?: string;
    readonly until?: string;
    readonly format: 'table' | 'json' | 'csv';
  };

/** Defines `palimpsest usage`, which sums billed tokens, costs, and the costs and savings of compactions. */
export const usageCommand = (): Command =>
  withDescriptionFilters(
    withNotes(new Command('usage'), {
      details:
        'One row for each group and source, then the sums of each source. Costs in CSV are billionths of a US dollar.',
      json: 'the answer of `GET /v1/usage`',
      examples: [
        'palimpsest usage --by model --since 2026-11-01',
        'palimpsest usage --by customer --project shop',
      ],
      guide: 'audit.md#usage-and-savings',
    })
      .description('Sum billed tokens, costs, and savings of compactions')
      .addOption(groupOption(USAGE_GROUPS).default('day')),
  )
    .option('--since <day>', 'first day, in UTC, such as 2026-11-21', day)
    .option('--until <day>', 'last day, inclusive', day)
    .addOption(
      new Option('--format <format>', 'of the rows').choices(['table', 'json', 'csv']).default('table'),
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { by, since, until } = options;
      return withService(options, async (service) => {
        const totals = await service.usage({
          tenant: by === 'tenant' ? 'all' : options.tenant,
          by,
          ...descriptionFilterIn(options),
          ...defined({ from: since, to: until }),
        });
        if (options.json || options.format === 'json') printJson(totals);
        else if (options.format === 'csv') await printText(csvOf(by, totals));
        else print(textOf(by, totals));
        const { groups, omittedGroups } = totals;
        if (omittedGroups > 0)
          note(
            `limited to the first ${groups.length} of ${groups.length + omittedGroups} rows: filters show the others`,
          );
      });
    });

const day = (text: string): string => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : undefined;
  const isDay = date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  if (isDay && text >= '0001') return text;
  throw new InvalidArgumentError('give a day in UTC, such as 2026-11-21');
};

type Sum = UsageTotals['total'];
type UsageColumn = {
  /** Heading in the table. */
  readonly name: string;
  /** Heading in CSV. */
  readonly csv: string;
  readonly value: (sum: Sum) => string | number;
};
const billed = ({ input, cacheRead, cacheWrite, output }: Sum['tokens']): number =>
  input + cacheRead + cacheWrite + output;

/** Columns by importance; a narrow terminal leaves out the last ones. */
const COLUMNS: readonly UsageColumn[] = [
  { name: 'billed tokens', csv: 'billed_tokens', value: ({ tokens }) => billed(tokens) },
  { name: 'cost', csv: 'cost_nano_usd', value: ({ cost }) => costText(cost) },
  { name: 'compactions', csv: 'compactions', value: ({ compactions }) => compactions.completed },
  {
    name: 'compaction cost',
    csv: 'compaction_cost_nano_usd',
    value: ({ compactions }) => costText(compactions.cost),
  },
  { name: 'calls', csv: 'calls', value: ({ calls }) => calls },
  {
    name: 'compaction billed tokens',
    csv: 'compaction_billed_tokens',
    value: ({ compactions }) => billed(compactions.tokens),
  },
  { name: 'requests', csv: 'requests', value: ({ compactions }) => compactions.requests },
  {
    name: 'smaller requests',
    csv: 'smaller_requests',
    value: ({ compactions }) => compactions.smallerRequests,
  },
  {
    name: 'counted tokens saved',
    csv: 'counted_tokens_saved',
    value: ({ compactions }) => compactions.countedSaved,
  },
  { name: 'double runs', csv: 'double_runs', value: ({ compactions }) => compactions.doubleRuns.runs },
];

const costText = ({ nanoUsd, unpricedTokens }: CostTotal): string => {
  const unpriced = `${unpricedTokens} tokens without a price`;
  if (nanoUsd === null) return unpriced;
  return unpricedTokens === 0 ? formatUsd(nanoUsd) : `${formatUsd(nanoUsd)}, ${unpriced}`;
};

/** Returns one row per group and source, followed by the totals of each source. */
const rowsOf = ({ groups, live, import: imported }: UsageTotals) => [
  ...groups.map((group) => ({ key: group.key, source: group.source, sum: group })),
  { key: 'total', source: 'live', sum: live },
  { key: 'total', source: 'import', sum: imported },
];

type UsageRow = ReturnType<typeof rowsOf>[number];

/** Renders the table; a narrow terminal leaves out the last columns. */
const textOf = (by: UsageGroup, totals: UsageTotals): string =>
  fittingTable<UsageRow>(
    [
      { name: by, of: ({ key }) => key, cutTo: 20 },
      { name: 'source', of: ({ source }) => source },
      ...COLUMNS.map(({ name, value }) => ({
        name,
        of: ({ sum }: UsageRow) => value(sum),
        isNumber: true,
      })),
    ],
    rowsOf(totals),
  );

/** Renders CSV without totals. Costs are billionths of a US dollar, and empty if no token has a price. */
const csvOf = (by: UsageGroup, { groups }: UsageTotals): string =>
  [
    csvLine([
      by,
      'source',
      ...COLUMNS.map(({ csv }) => csv),
      'unpriced_tokens',
      'compaction_unpriced_tokens',
    ]),
    ...groups.map((group) =>
      csvLine([
        group.key,
        group.source,
        ...COLUMNS.map(({ csv, value }) => {
          if (csv === 'cost_nano_usd') return group.cost.nanoUsd;
          return csv === 'compaction_cost_nano_usd' ? group.compactions.cost.nanoUsd : value(group);
        }),
        group.cost.unpricedTokens,
        group.compactions.cost.unpricedTokens,
      ]),
    ),
  ].join('');
