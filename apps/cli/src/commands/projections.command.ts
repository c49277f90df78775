import { SkipProjection } from '@app/application';
import { Actor, AppError, type LogPosition } from '@app/kernel';
import type { ProjectionName, ProjectionStatus } from '@app/ports';
import { Command } from 'commander';
import { type GlobalOptions, logPosition } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { caughtUp } from '../service/caught-up.js';
import { withPalimpsest } from '../session-run.js';

const NAMES: readonly ProjectionName[] = [
  'sessions',
  'compactions',
  'compaction_turns',
  'audit_events',
  'usage_by_day',
  'tenants',
  'api_keys',
  'audit_reads',
];

/** `palimpsest projections …`: the read models and how they stand to the log. */
export const projectionsCommand = (): Command =>
  new Command('projections')
    .description('show or rebuild the read models, or have a stopped one go on')
    .addCommand(statusCommand())
    .addCommand(rebuildCommand())
    .addCommand(skipCommand());

const statusCommand = (): Command =>
  new Command('status').description('how far each projection has read').action((_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    return withPalimpsest(options, async ({ readModels }) => {
      const rows = await readModels.status();
      if (options.json) printJson(rows);
      else
        print(
          table(
            ['projection', 'position', 'events', 'updated', 'stopped'],
            rows.map((row) => [row.projection, row.position, row.events, row.updatedAt, stopIn(row)]),
          ),
        );
    });
  });

/** Before which event, and why; empty where it goes on. */
const stopIn = ({ stopped }: ProjectionStatus): string => {
  if (!stopped) return '';
  return stopped.event ? `before ${stopped.event.position}: ${stopped.error}` : stopped.error;
};

type SkipFlags = GlobalOptions & { readonly position: LogPosition; readonly reason: string };

const skipCommand = (): Command =>
  new Command('skip')
    .description('have a stopped projection go on without the event that it cannot take: recorded for good')
    .argument('<name>', `one of ${NAMES.join(', ')}`)
    .requiredOption('--position <position>', 'of the event, as `projections status` shows it', logPosition)
    .requiredOption('--reason <text>', 'for whoever audits the session')
    .action((name: string, _, command: Command) => {
      const options = command.optsWithGlobals<SkipFlags>();
      const [projection] = named(name);
      return withPalimpsest(options, async (palimpsest) => {
        const { position, reason } = options;
        const skip = new SkipProjection(String(projection), { position, reason }, { actor: Actor('cli') });
        const skipped = await palimpsest.commands.execute(skip);
        await caughtUp(palimpsest);
        if (options.json) printJson(skipped);
        else
          print(
            `${skipped.projection} goes on without event ${skipped.revision} of session ${skipped.session} (${skipped.tenant})`,
          );
      });
    });

const rebuildCommand = (): Command =>
  new Command('rebuild')
    .description('build the rows anew from the log, beside the old ones')
    .argument('[name]', `one of ${NAMES.join(', ')}; all where none is given`)
    .action((name: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const names = named(name);
      return withPalimpsest(options, async ({ projector }) => {
        const results = await projector.rebuild(names, new AbortController().signal);
        if (options.json) printJson(results);
        else
          print(
            table(
              ['projection', 'events', 'rows'],
              results.map((row) => [row.projection, row.events, row.rows]),
            ),
          );
      });
    });

const named = (name: string | undefined): readonly ProjectionName[] => {
  if (name === undefined) return NAMES;
  const found = NAMES.find((known) => known === name);
  if (found) return [found];
  throw new AppError(
    'unknown-projection',
    `there is no projection "${name.slice(0, 64)}": use one of ${NAMES.join(', ')}`,
  );
};
