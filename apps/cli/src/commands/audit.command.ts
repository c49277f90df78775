import type { SessionEventType } from '@app/domain';
import { type IsoTime, SessionId } from '@app/kernel';
import type { AuditFilter, AuditRow, ReadModels } from '@app/ports';
import { Command, Option } from 'commander';
import { eventType, type GlobalOptions, instant, limit } from '../options.js';
import { csv } from '../output/csv.js';
import { json, print } from '../output/print.js';
import { table } from '../output/table.js';
import { caughtUp, withPalimpsest } from '../session-run.js';

type Format = 'table' | 'json' | 'ndjson' | 'csv';
type Options = GlobalOptions & {
  readonly session?: string;
  readonly type?: SessionEventType;
  readonly since?: IsoTime;
  readonly until?: IsoTime;
  readonly limit: number;
  readonly format: Format;
};

/** `palimpsest audit`: what happened, from PostgreSQL, newest first. */
export const auditCommand = (): Command =>
  new Command('audit')
    .description('query the audit rows, newest first')
    .option('--session <session>', 'of this session')
    .option('--type <type>', 'of this event type, such as CompactionCompleted', eventType)
    .option('--since <time>', 'recorded at or after', instant)
    .option('--until <time>', 'recorded before', instant)
    .option('--limit <rows>', 'at most so many rows', limit, 50)
    .addOption(
      new Option('--format <format>', 'of the rows')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const filter = {
        tenant: options.tenant,
        ...(options.session !== undefined && { session: SessionId(options.session) }),
        ...(options.type !== undefined && { type: options.type }),
        ...(options.since !== undefined && { since: options.since }),
        ...(options.until !== undefined && { until: options.until }),
      };
      return withPalimpsest(options, async (palimpsest) => {
        await caughtUp(palimpsest);
        const rows = await allPages(palimpsest.readModels, filter, options.limit);
        print(render(rows, options.json ? 'json' : options.format));
      });
    });

/** More than a page is asked for page by page. */
const allPages = async (
  readModels: ReadModels,
  filter: Omit<AuditFilter, 'limit' | 'before'>,
  limit: number,
): Promise<AuditRow[]> => {
  const rows: AuditRow[] = [];
  for (;;) {
    const before = rows.at(-1)?.position;
    const size = Math.min(PAGE, limit - rows.length);
    const page = await readModels.audit({ ...filter, ...(before !== undefined && { before }), limit: size });
    rows.push(...page);
    if (page.length < size || rows.length === limit) return rows;
  }
};
const PAGE = 1_000;

const COLUMNS = ['position', 'recordedAt', 'session', 'revision', 'type', 'actor', 'compactionId'] as const;
const CSV_COLUMNS = [...COLUMNS, 'correlationId', 'payload'] as const;

const render = (rows: readonly AuditRow[], format: Format): string => {
  switch (format) {
    case 'json':
      return json(rows);
    case 'ndjson':
      return rows.map(json).join('\n');
    case 'csv':
      return csv(
        CSV_COLUMNS,
        rows.map((row) => CSV_COLUMNS.map((column) => row[column])),
      );
    case 'table':
      return table(
        COLUMNS,
        rows.map((row) => COLUMNS.map((column) => row[column])),
      );
  }
};
