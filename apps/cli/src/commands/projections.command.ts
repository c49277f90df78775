import { setTimeout as pause } from 'node:timers/promises';
import { RetryProjection, SkipProjection } from '@app/application';
import { AppError, type LogPosition } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import {
  type Page,
  PROJECTION_NAMES,
  type ProjectionName,
  type RebuildResult,
  type StoppedStream,
} from '@app/ports';
import { Command } from 'commander';
import { limit, logPosition } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { Progress } from '../output/progress.js';
import { table } from '../output/table.js';
import { timeText } from '../output/value-text.js';
import { CLI, localCommand } from '../result-command.js';
import { caughtUp } from '../service/caught-up.js';

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
  localCommand(
    'list',
    'List projections with their positions',
    {
      json: 'array of `projection`, `position` (`null` before the first event), `events`, `updatedAt`, `stoppedStreams`',
    },
    () =>
      async ({ readModels }) => {
        const rows = await readModels.status();
        const cells = rows.map((row) => [
          ...[row.projection, row.position, row.events],
          row.updatedAt && timeText(row.updatedAt),
          row.stoppedStreams,
        ]);
        const columns = ['projection', 'position', 'events', 'updatedAt', 'stopped streams'];
        return { json: rows, text: table(columns, cells) };
      },
  );

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
  localCommand<{ readonly limit: number }, [string | undefined]>(
    'stopped',
    'List stopped streams of all tenants in log order',
    {
      json: 'array of `projection`, `stream`, `revision`, `position`, `type`, `at`, `error`, `retryRequested`',
      guide: 'operating.md#stopped-streams',
    },
    ({ limit: count }, name) => {
      const projection = name === undefined ? undefined : named(name)[0];
      return async ({ readModels }) => {
        const { items } = await readModels.stoppedStreams({
          limit: count,
          ...(projection && { projection }),
        });
        return {
          json: items,
          text: items.length === 0 ? 'no stopped streams' : fittingTable(STOPPED_COLUMNS, items),
        };
      };
    },
  )
    .argument('[name]', `one of ${NAMES.join(', ')}; all by default`)
    .option('--limit <streams>', 'maximum number of streams', limit, 100);

const retryCommand = (): Command =>
  localCommand<{ readonly position?: LogPosition }, [string]>(
    'retry',
    'Retry stopped streams of all tenants',
    { json: '`projection`, `streams` (number of streams)' },
    ({ position }, name) => {
      const [projection] = named(name);
      return async (palimpsest) => {
        const retry = new RetryProjection(String(projection), position);
        const retried = await palimpsest.commands.execute(retry);
        await resumed(palimpsest, retried.projection);
        await caughtUp(palimpsest);
        return {
          json: retried,
          text: `${retried.projection} tried ${retried.streams} stopped streams again`,
        };
      };
    },
  )
    .argument('<name>', `one of ${NAMES.join(', ')}`)
    .option(
      '--position <position>',
      'position of the event that stops a stream (default: all streams)',
      logPosition,
    );

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

const skipCommand = (): Command =>
  localCommand<{ readonly position: LogPosition; readonly reason: string }, [string]>(
    'skip',
    'Skip the event that stopped a stream; the skip is recorded in the log',
    { json: '`projection`, `position`, `stream`, `revision`' },
    ({ position, reason }, name) => {
      const [projection] = named(name);
      return async (palimpsest) => {
        const skip = new SkipProjection(String(projection), { position, reason }, CLI);
        const skipped = await palimpsest.commands.execute(skip);
        await resumed(palimpsest, skipped.projection);
        await caughtUp(palimpsest);
        const text = `${skipped.projection} goes on without event ${skipped.revision} of ${skipped.stream}`;
        return { json: skipped, text };
      };
    },
  )
    .argument('<name>', `one of ${NAMES.join(', ')}`)
    .requiredOption('--position <position>', 'position of the event, from `projections stopped`', logPosition)
    .requiredOption('--reason <text>', 'reason, for the audit');

const rebuildCommand = (): Command =>
  localCommand<object, [string | undefined]>(
    'rebuild',
    'Rebuild rows from the log beside the old ones, then swap',
    { json: 'array of `projection`, `events`, `rows`', guide: 'operating.md' },
    (_, name) => {
      const names = named(name);
      return async ({ projector }) => {
        const results = await rebuilt(projector, names);
        const cells = results.map((row) => [row.projection, row.events, row.rows]);
        return { json: results, text: table(['projection', 'events', 'rows'], cells) };
      };
    },
  ).argument('[name]', `one of ${NAMES.join(', ')}; all by default`);

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
