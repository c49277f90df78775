import { SessionId } from '@app/kernel';
import { type AuditReadRecord, READ_KINDS, type ReadKind } from '@app/ports';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, limit } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { json, note, print, printLine } from '../output/print.js';
import { countText, timeText } from '../output/value-text.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly kind?: ReadKind;
  readonly session?: string;
  readonly actor?: string;
  readonly limit?: number;
};

/** Default maximum of table rows. */
const ROWS = 50;

const COLUMNS: readonly Column<AuditReadRecord>[] = [
  { name: 'recordedAt', of: ({ recordedAt }) => timeText(recordedAt) },
  { name: 'actor', of: ({ actor }) => actor, cutTo: 8 },
  { name: 'endpoint', of: ({ endpoint }) => endpoint, cutTo: 20 },
  { name: 'session', of: ({ session }) => session, cutTo: 12 },
  {
    name: 'revisions',
    of: ({ revisions }) => revisions && `${revisions.from}-${revisions.to}`,
  },
  { name: 'rows', of: ({ rows }) => rows, isNumber: true },
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'reason', of: ({ reason }) => reason, cutTo: 8 },
];

/** Defines `palimpsest reads`, which lists reads of audit data and content, newest first. */
export const readsCommand = (): Command =>
  withNotes(new Command('reads'), {
    json: 'JSON lines: `position`, `recordedAt`, `actor`, `kind`, `endpoint`, `session`, `revisions` (`from`, `to`, or `null`), `filters`, `rows`, `reason`',
    guide: 'audit.md#reads',
  })
    .description('List reads of audit data and content, newest first')
    .addOption(new Option('--kind <kind>', 'kind of data').choices(READ_KINDS))
    .option('--session <session>', 'reads of this session')
    .option('--actor <actor>', 'by this actor')
    .option('--limit <rows>', `maximum number of rows (default: ${ROWS}, with --json all)`, limit)
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { tenant, kind, session, actor } = options;
      const filter = {
        ...(kind && { kind }),
        ...(session !== undefined && { session: SessionId(session) }),
        ...(actor !== undefined && { actor }),
      };
      return withService(options, async (service) => {
        const count = options.limit ?? (options.json ? undefined : ROWS);
        const { items, isCut } = await firstOf(service.reads(tenant, filter), count);
        if (options.json) for (const read of items) await printLine(json(read));
        else print(items.length === 0 ? 'no reads match' : fittingTable(COLUMNS, items));
        if (isCut)
          note(`limited to the newest ${countText(items.length, 'read')}: --limit shows more, --json all`);
      });
    });
