import { SessionId } from '@app/kernel';
import { READ_KINDS, type ReadKind } from '@app/ports';
import { Command, Option } from 'commander';
import { type GlobalOptions, limit } from '../options.js';
import { json, note, print, printLine } from '../output/print.js';
import { table } from '../output/table.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly kind?: ReadKind;
  readonly session?: string;
  readonly actor?: string;
  readonly limit?: number;
};

/** Rows of a table where no limit is given. */
const ROWS = 50;

/** `palimpsest reads`: who has read what was recorded, newest first. */
export const readsCommand = (): Command =>
  new Command('reads')
    .description('List reads of audit data and content, newest first')
    .addOption(new Option('--kind <kind>', 'of facts, or of text').choices(READ_KINDS))
    .option('--session <session>', 'of text of this session')
    .option('--actor <actor>', 'by this actor')
    .option('--limit <rows>', `at most so many rows (default: ${ROWS}, with --json all)`, limit)
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { tenant, kind, session, actor } = options;
      const filter = {
        ...(kind && { kind }),
        ...(session !== undefined && { session: SessionId(session) }),
        ...(actor !== undefined && { actor }),
      };
      return withService(options, async (service) => {
        const wanted = options.limit ?? (options.json ? undefined : ROWS);
        const { items, isCut } = await firstOf(service.reads(tenant, filter), wanted);
        if (options.json) for (const read of items) await printLine(json(read));
        else
          print(
            table(
              ['recordedAt', 'actor', 'kind', 'endpoint', 'session', 'revisions', 'rows', 'reason'],
              items.map(
                ({ recordedAt, actor: by, kind: of, endpoint, session: whose, revisions, rows, reason }) => [
                  ...[recordedAt, by, of, endpoint, whose],
                  revisions && `${revisions.from}-${revisions.to}`,
                  ...[rows, reason],
                ],
              ),
            ),
          );
        if (isCut) note(`these are the newest ${items.length} reads: --limit shows more, --json all`);
      });
    });
