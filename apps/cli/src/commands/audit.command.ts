import { type AuditRead, auditLines } from '@app/application';
import { type SessionEventType, TRIGGERS, type Trigger } from '@app/domain';
import { type IsoTime, SessionId } from '@app/kernel';
import {
  AUDIT_SORTS,
  type AuditRow,
  type AuditSort,
  COMPACTION_OUTCOMES,
  type CompactionOutcome,
} from '@app/ports';
import { Command, Option } from 'commander';
import { eventType, type GlobalOptions, instant, limit } from '../options.js';
import { json, print, printText } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';

type Format = 'table' | 'json' | 'ndjson' | 'csv';
type Options = GlobalOptions & {
  readonly session?: string;
  readonly type?: readonly SessionEventType[];
  readonly trigger?: Trigger;
  readonly outcome?: CompactionOutcome;
  readonly profile?: string;
  readonly model?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly compaction?: string;
  readonly since?: IsoTime;
  readonly until?: IsoTime;
  readonly sort: AuditSort;
  readonly limit: number;
  readonly format: Format;
};

/** `palimpsest audit`: what happened, from PostgreSQL, newest first where no other order is asked for. */
export const auditCommand = (): Command =>
  new Command('audit')
    .description('query the audit rows, newest first')
    .option('--session <session>', 'of this session')
    .option('--type <type...>', 'of these event types, such as CompactionCompleted', eventTypes)
    .addOption(new Option('--trigger <trigger>', 'of compactions that this brought about').choices(TRIGGERS))
    .addOption(
      new Option('--outcome <outcome>', 'that gave a compaction this end').choices(COMPACTION_OUTCOMES),
    )
    .option('--profile <profile>', 'under this profile')
    .option('--model <model>', 'under this model')
    .option('--actor <actor>', 'by this actor')
    .option('--correlation <id>', 'of this turn or operation')
    .option('--compaction <id>', 'of this compaction')
    .option('--since <time>', 'recorded at or after', instant)
    .option('--until <time>', 'recorded before', instant)
    .addOption(new Option('--sort <order>', 'of the rows').choices(AUDIT_SORTS).default('-position'))
    .option('--limit <rows>', 'at most so many rows', limit, 50)
    .addOption(
      new Option('--format <format>', 'of the rows')
        .choices(['table', 'json', 'ndjson', 'csv'])
        .default('table'),
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const read = readOf(options);
      return withService(options, (service) =>
        show(service.audit(read), options.json ? 'json' : options.format),
      );
    });

/** Types that were named before this one, and it. */
const eventTypes = (text: string, before: readonly SessionEventType[] = []): readonly SessionEventType[] => [
  ...before,
  eventType(text),
];

const readOf = (options: Options): AuditRead => ({
  tenant: options.tenant,
  ...(options.session !== undefined && { session: SessionId(options.session) }),
  ...(options.type && { types: options.type }),
  ...(options.trigger && { trigger: options.trigger }),
  ...(options.outcome && { outcome: options.outcome }),
  ...(options.profile !== undefined && { profile: options.profile }),
  ...(options.model !== undefined && { model: options.model }),
  ...(options.actor !== undefined && { actor: options.actor }),
  ...(options.correlation !== undefined && { correlationId: options.correlation }),
  ...(options.compaction !== undefined && { compactionId: options.compaction }),
  ...(options.since !== undefined && { since: options.since }),
  ...(options.until !== undefined && { until: options.until }),
  sort: options.sort,
  limit: options.limit,
});

const COLUMNS = ['position', 'recordedAt', 'session', 'revision', 'type', 'actor', 'compactionId'] as const;

const show = async (batches: AsyncIterable<readonly AuditRow[]>, format: Format): Promise<void> => {
  if (format === 'ndjson' || format === 'csv') {
    for await (const text of auditLines(format, batches)) await printText(text);
    return;
  }
  const rows: AuditRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  if (format === 'json') return print(json(rows));
  print(
    table(
      COLUMNS,
      rows.map((row) => COLUMNS.map((column) => row[column])),
    ),
  );
};
