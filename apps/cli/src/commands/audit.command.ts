import { type AuditRead, auditLines } from '@app/application';
import { TRIGGERS, type Trigger } from '@app/domain';
import { csvLine } from '@app/formats';
import { defined, type IsoTime, pick, SessionId } from '@app/kernel';
import {
  AUDIT_GROUPS,
  AUDIT_SORTS,
  type AuditEventType,
  type AuditFilter,
  type AuditGroup,
  type AuditRow,
  type AuditSort,
  type AuditTotals,
  COMPACTION_OUTCOMES,
  type CompactionOutcome,
} from '@app/ports';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import {
  type DescriptionOptions,
  descriptionFilterIn,
  groupOption,
  withDescriptionFilters,
} from '../description-options.js';
import { eventType, type GlobalOptions, instant, limit } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { json, note, print, printJson, printText } from '../output/print.js';
import { countText, timeText } from '../output/value-text.js';
import { withService } from '../session-run.js';

type Format = 'table' | 'json' | 'ndjson' | 'csv';
type Options = GlobalOptions &
  DescriptionOptions & {
    readonly session?: string;
    readonly type?: readonly AuditEventType[];
    readonly trigger?: Trigger;
    readonly outcome?: CompactionOutcome;
    readonly profile?: string;
    readonly model?: string;
    readonly actor?: string;
    readonly correlation?: string;
    readonly compaction?: string;
    readonly lost?: string;
    readonly since?: IsoTime;
    readonly until?: IsoTime;
    readonly sort: AuditSort;
    readonly by?: AuditGroup;
    readonly limit?: number;
    readonly format: Format;
  };

/** Default maximum of table rows. */
const ROWS = 50;

/** Defines `palimpsest audit`, which lists audit rows from PostgreSQL, newest first by default. */
export const auditCommand = (): Command =>
  withDescriptionFilters(
    withNotes(new Command('audit'), {
      details: '--json is --format json. A note on stderr says when a limit is reached.',
      json: 'array of `position`, `session`, `revision`, `type`, `recordedAt`, `actor`, `correlationId`, `compactionId`, `trigger`, `outcome`, `profile`, `model`, `payload`',
      examples: [
        'palimpsest audit --session SESSION --type CompactionCompleted',
        'palimpsest audit --since 2026-11-21 --format csv',
      ],
      guide: 'audit.md',
    })
      .description('Search audit rows, newest first')
      .option('--session <session>', 'of this session'),
  )
    .option('--type <type...>', 'of these event types, such as CompactionCompleted', eventTypes)
    .addOption(new Option('--trigger <trigger>', 'of compactions with this trigger').choices(TRIGGERS))
    .addOption(
      new Option('--outcome <outcome>', 'that ended a compaction with this outcome').choices(
        COMPACTION_OUTCOMES,
      ),
    )
    .option('--profile <profile>', 'under this profile')
    .option('--model <model>', 'under this model')
    .option('--actor <actor>', 'by this actor')
    .option('--correlation <id>', 'of this turn or operation')
    .option('--compaction <id>', 'of this compaction')
    .option('--lost <name>', 'of compactions that lost this name, or a directive with these words')
    .option('--since <time>', 'recorded at or after', instant)
    .option('--until <time>', 'recorded before', instant)
    .addOption(new Option('--sort <order>', 'of the rows').choices(AUDIT_SORTS).default('-position'))
    .addOption(groupOption(AUDIT_GROUPS))
    .option('--limit <rows>', `maximum number of rows (default: ${ROWS} of a table, else all)`, limit)
    .addOption(
      new Option('--format <format>', 'of the rows')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const format = options.json ? 'json' : options.format;
      const { by } = options;
      if (by !== undefined)
        return withService(options, async (service) =>
          showTotals(by, await service.auditTotals({ ...filterOf(options), by }), format),
        );
      const read = readOf(options, options.limit ?? (format === 'table' ? ROWS : undefined));
      return withService(options, (service) => show(service.audit(read), format, read.limit));
    });

/** Appends an event type to the ones of earlier uses of the option. */
const eventTypes = (text: string, before: readonly AuditEventType[] = []): readonly AuditEventType[] => [
  ...before,
  eventType(text),
];

const readOf = (options: Options, rows: number | undefined): AuditRead => ({
  ...filterOf(options),
  sort: options.sort,
  ...(rows !== undefined && { limit: rows }),
});

const filterOf = (options: Options): AuditFilter => ({
  tenant: options.tenant,
  ...descriptionFilterIn(options),
  ...(options.session !== undefined && { session: SessionId(options.session) }),
  ...(options.type && { types: options.type }),
  ...pick(options, 'trigger', 'outcome', 'profile', 'model', 'actor'),
  ...defined({ correlationId: options.correlation, compactionId: options.compaction }),
  ...pick(options, 'lost', 'since', 'until'),
});

const showTotals = async (by: AuditGroup, totals: AuditTotals, format: Format): Promise<void> => {
  const { groups, omittedGroups } = totals;
  if (format === 'json') printJson(totals);
  else if (format === 'ndjson') for (const group of groups) print(json(group));
  else if (format === 'csv')
    await printText(
      [[by, 'events'], ...groups.map(({ key, events }) => [key, events])].map(csvLine).join(''),
    );
  else print(fittingTable(totalColumns(by), groups));
  if (omittedGroups > 0) {
    const all = groups.length + omittedGroups;
    note(`limited to the first ${groups.length} of ${all} groups: filters show the others`);
  }
};

const totalColumns = (by: AuditGroup): readonly Column<AuditTotals['groups'][number]>[] => [
  { name: by, of: ({ key }) => key },
  { name: 'events', of: ({ events }) => events, isNumber: true },
];

const COLUMNS: readonly Column<AuditRow>[] = [
  { name: 'recordedAt', of: ({ recordedAt }) => timeText(recordedAt) },
  { name: 'type', of: ({ type }) => type },
  { name: 'session', of: ({ session }) => session, cutTo: 12 },
  { name: 'revision', of: ({ revision }) => revision, isNumber: true },
  { name: 'actor', of: ({ actor }) => actor, cutTo: 8 },
  { name: 'compactionId', of: ({ compactionId }) => compactionId, cutTo: 12 },
  { name: 'position', of: ({ position }) => String(position), isNumber: true },
];

const show = async (
  batches: AsyncIterable<readonly AuditRow[]>,
  format: Format,
  limit: number | undefined,
): Promise<void> => {
  let rows = 0;
  const counted = (async function* () {
    for await (const batch of batches) {
      rows += batch.length;
      yield batch;
    }
  })();
  await SHOWN[format](counted);
  if (rows === limit)
    note(`limited to ${countText(rows, 'row')}: --limit shows more, --format csv, ndjson or json prints all`);
};

type Batches = AsyncIterable<readonly AuditRow[]>;

const SHOWN: Readonly<Record<Format, (batches: Batches) => Promise<void>>> = {
  csv: (batches) => showLines('csv', batches),
  ndjson: (batches) => showLines('ndjson', batches),
  // Printed row by row, since an audit may exceed the memory.
  json: async (batches) => {
    let before = '[';
    for await (const batch of batches)
      for (const row of batch) {
        await printText(`${before}${json(row)}`);
        before = ',';
      }
    await printText(before === '[' ? '[]\n' : ']\n');
  },
  table: async (batches) => {
    const rows: AuditRow[] = [];
    for await (const batch of batches) rows.push(...batch);
    print(rows.length === 0 ? 'no audit rows match' : fittingTable(COLUMNS, rows));
  },
};

const showLines = async (format: 'csv' | 'ndjson', batches: Batches): Promise<void> => {
  for await (const text of auditLines(format, batches)) await printText(text);
};
