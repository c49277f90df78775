import { ChangeLimits, GetLimits } from '@app/application';
import type { TenantLimits } from '@app/domain';
import { Actor, AppError, defined, Tokens } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, limit } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';

/** Defines `palimpsest limits …`, which manages the quotas of a tenant. */
export const limitsCommand = (): Command =>
  new Command('limits')
    .description('Show or change the limits of a tenant')
    .addCommand(showCommand())
    .addCommand(changeCommand());

const showCommand = (): Command =>
  withNotes(new Command('show'), {
    json: '`requestsPerSecond`, `requestsPerMinute`, `tokensPerMinute`, `concurrentCompactions`',
    guide: 'tenants.md#limits',
  })
    .description('Show all limits of the tenant')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) =>
        show(await queries.execute(new GetLimits(options.tenant)), options),
      );
    });

type ChangeOptions = GlobalOptions & Partial<{ readonly [Name in keyof TenantLimits]: number }>;
const changeCommand = (): Command =>
  withNotes(new Command('change'), {
    details: 'Limits that are not named stay.',
    json: 'as for `limits show`',
    examples: ['palimpsest limits change --requests-per-minute 600'],
  })
    .description('Change limits of the tenant')
    .option('--requests-per-second <number>', 'requests per second', limit)
    .option('--requests-per-minute <number>', 'requests per minute', limit)
    .option('--tokens-per-minute <number>', 'tokens of appended messages per minute', limit)
    .option(
      '--concurrent-compactions <number>',
      'compactions that run at the same time in one process',
      limit,
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<ChangeOptions>();
      const change = changeIn(options);
      return withService(options, async ({ commands }) =>
        show(
          await commands.execute(new ChangeLimits(options.tenant, change, { actor: Actor('cli') })),
          options,
        ),
      );
    });

/** @throws {AppError} `invalid-settings` if no limit is given. */
const changeIn = ({
  requestsPerSecond,
  requestsPerMinute,
  tokensPerMinute,
  concurrentCompactions,
}: ChangeOptions): Partial<TenantLimits> => {
  const change = {
    ...defined({ requestsPerSecond, requestsPerMinute }),
    ...(tokensPerMinute !== undefined && { tokensPerMinute: Tokens(tokensPerMinute) }),
    ...(concurrentCompactions !== undefined && { concurrentCompactions }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new AppError(
    'invalid-settings',
    'nothing is to change: give one limit, such as --requests-per-minute 600',
  );
};

const show = (limits: TenantLimits, { json }: GlobalOptions): void => {
  if (json) printJson(limits);
  else print(table(['limit', 'at most'], Object.entries(limits)));
};
