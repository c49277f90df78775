import { setTimeout as pause } from 'node:timers/promises';
import { RetryProjection, SkipProjection } from '@app/application';
import { Actor, AppError, type LogPosition } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import {
  type Page,
  PROJECTION_NAMES,
  type ProjectionName,
  type RebuildResult,
  type StoppedStream,
} from '@app/ports';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, limit, logPosition } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { Progress } from '../output/progress.js';
import { table } from '../output/table.js';
import { timeText } from '../output/value-text.js';
import { caughtUp } from '../service/caught-up.js';
import { withPalimpsest } from '../session-run.js';

const NAMES: readonly ProjectionName[] = PROJECTION_NAMES;

/** Defines `palimpsest projections …`, which shows, retries and rebuilds the read models. */
export const projectionsCommand = (): Command =>
  new Command('projections')
    .description('Show and rebuild read models; retry or skip stopped streams')
    .addCommand(listCommand())
    .addCommand(rebuildCommand())
    .addCommand(stoppedCommand())
    .addCommand(retryCommand())
    .addCommand(skipCommand());

const listCommand = (): Command =>
  withNotes(new Command('list'), {
    json: 'array of `projection`, `position` (`null` before the first event), `events`, `updatedAt`, `stoppedStreams`',
  })
    .description('List projections with their positions')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withPalimpsest(options, async ({ readModels }) => {
        const rows = await readModels.status();
        if (options.json) printJson(rows);
        else
          print(
            table(
              ['projection', 'position', 'events', 'updatedAt', 'stopped streams'],
              rows.map((row) => [
                ...[row.projection, row.position, row.events],
                row.updatedAt && timeText(row.updatedAt),
                row.stoppedStreams,
              ]),
            ),
          );
      });
    });

type StoppedFlags = GlobalOptions & { readonly limit: number };

const STOPPED_COLUMNS: readonly Column<StoppedStream>[] = [
  { name: 'projection', of: ({ projection }) => projection },
  { name: 'stream', of: ({ stream }) => stream, cutTo: 16 },
  { name: 'revision', of: ({ revision }) => revision, isNumber: true },
  { name: 'error', of: ({ error }) => error, cutTo: 20 },
  { name: 'type', of: ({ type }) => type, cutTo: 12 },
  { name: 'since', of: ({ at }) => timeText(at) },
  { name: 'position', of: ({ position }) => String(position), isNumber: true },
];

const stoppedCommand = (): Command =>
  withNotes(new Command('stopped'), {
    json: 'array of `projection`, `stream`, `revision`, `position`, `type`, `at`, `error`, `retryRequested`',
    guide: 'operating.md#stopped-streams',
  })
    .description('List stopped streams of all tenants in log order')
    .argument('[name]', `one of ${NAMES.join(', ')}; all by default`)
    .option('--limit <streams>', 'maximum number of streams', limit, 100)
    .action((name: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<StoppedFlags>();
      const projection = name === undefined ? undefined : named(name)[0];
      return withPalimpsest(options, async ({ readModels }) => {
        const { items } = await readModels.stoppedStreams({
          limit: options.limit,
          ...(projection && { projection }),
        });
        if (options.json) printJson(items);
        else print(items.length === 0 ? 'no stopped streams' : fittingTable(STOPPED_COLUMNS, items));
      });
    });

type RetryFlags = GlobalOptions & { readonly position?: LogPosition };

const retryCommand = (): Command =>
  withNotes(new Command('retry'), { json: '`projection`, `streams` (number of streams)' })
    .description('Retry stopped streams of all tenants')
    .argument('<name>', `one of ${NAMES.join(', ')}`)
    .option(
      '--position <position>',
      'position of the event that stops a stream (default: all streams)',
      logPosition,
    )
    .action((name: string, _, command: Command) => {
      const options = command.optsWithGlobals<RetryFlags>();
      const [projection] = named(name);
      return withPalimpsest(options, async (palimpsest) => {
        const retry = new RetryProjection(String(projection), options.position);
        const retried = await palimpsest.commands.execute(retry);
        await resumed(palimpsest, retried.projection);
        await caughtUp(palimpsest);
        if (options.json) printJson(retried);
        else print(`${retried.projection} tried ${retried.streams} stopped streams again`);
      });
    });

const LOOK_AGAIN_AFTER_MS = 100;

/** Resolves when no stopped stream of the projection waits for a retry. */
const resumed = async ({ readModels }: Palimpsest, projection: ProjectionName): Promise<void> => {
  for (let after: LogPosition | null = null; ; ) {
    const page: Page<StoppedStream> = await readModels.stoppedStreams({
      projection,
      limit: 1_000,
      ...(after !== null && { after }),
    });
    if (page.items.some(({ retryRequested }) => retryRequested)) await pause(LOOK_AGAIN_AFTER_MS);
    else if (page.next === null) return;
    else after = page.next;
  }
};

type SkipFlags = GlobalOptions & { readonly position: LogPosition; readonly reason: string };

const skipCommand = (): Command =>
  withNotes(new Command('skip'), { json: '`projection`, `position`, `stream`, `revision`' })
    .description('Skip the event that stopped a stream; the skip is recorded in the log')
    .argument('<name>', `one of ${NAMES.join(', ')}`)
    .requiredOption('--position <position>', 'position of the event, from `projections stopped`', logPosition)
    .requiredOption('--reason <text>', 'reason, for the audit')
    .action((name: string, _, command: Command) => {
      const options = command.optsWithGlobals<SkipFlags>();
      const [projection] = named(name);
      return withPalimpsest(options, async (palimpsest) => {
        const { position, reason } = options;
        const skip = new SkipProjection(String(projection), { position, reason }, { actor: Actor('cli') });
        const skipped = await palimpsest.commands.execute(skip);
        await resumed(palimpsest, skipped.projection);
        await caughtUp(palimpsest);
        if (options.json) printJson(skipped);
        else print(`${skipped.projection} goes on without event ${skipped.revision} of ${skipped.stream}`);
      });
    });

const rebuildCommand = (): Command =>
  withNotes(new Command('rebuild'), {
    json: 'array of `projection`, `events`, `rows`',
    guide: 'operating.md',
  })
    .description('Rebuild rows from the log beside the old ones, then swap')
    .argument('[name]', `one of ${NAMES.join(', ')}; all by default`)
    .action((name: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const names = named(name);
      return withPalimpsest(options, async ({ projector }) => {
        const results = await rebuilt(projector, names);
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

/** Rebuilds projections and shows the share of the log that is processed. */
const rebuilt = async (
  projector: Palimpsest['projector'],
  names: readonly ProjectionName[],
): Promise<readonly RebuildResult[]> => {
  const progress = new Progress('rebuilding');
  try {
    return await projector.rebuild(names, new AbortController().signal, (fraction) =>
      progress.update({ fraction }),
    );
  } finally {
    progress.stop();
  }
};

const named = (name: string | undefined): readonly ProjectionName[] => {
  if (name === undefined) return NAMES;
  const found = NAMES.find((known) => known === name);
  if (found) return [found];
  throw new AppError(
    'unknown-projection',
    `there is no projection "${name.slice(0, 64)}": use one of ${NAMES.join(', ')}`,
  );
};
