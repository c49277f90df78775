import { ChangeLimits, GetLimits } from '@app/application';
import type { TenantLimits } from '@app/domain';
import { AppError, defined, Tokens } from '@app/kernel';
import { Command } from 'commander';
import { limit } from '../options.js';
import { table } from '../output/table.js';
import { CLI, type Shown, serviceCommand } from '../result-command.js';

/** Defines `palimpsest limits …`, which manages the quotas of a tenant. */
export const limitsCommand = (): Command =>
  new Command('limits')
    .description('Show or change the limits of a tenant')
    .addCommand(showCommand())
    .addCommand(changeCommand());

const showCommand = (): Command =>
  serviceCommand(
    'show',
    'Show all limits of the tenant',
    {
      json: '`requestsPerSecond`, `requestsPerMinute`, `tokensPerMinute`, `concurrentCompactions`',
      guide: 'tenants.md#limits',
    },
    ({ tenant }) =>
      async ({ queries }) =>
        shown(await queries.execute(new GetLimits(tenant))),
  );

type ChangeOptions = Partial<{ readonly [Name in keyof TenantLimits]: number }>;
const changeCommand = (): Command =>
  serviceCommand<ChangeOptions>(
    'change',
    'Change limits of the tenant',
    {
      details: 'Limits that are not named stay.',
      json: 'as for `limits show`',
      examples: ['palimpsest limits change --requests-per-minute 600'],
    },
    ({ tenant, ...options }) => {
      const change = changeIn(options);
      return async ({ commands }) => shown(await commands.execute(new ChangeLimits(tenant, change, CLI)));
    },
  )
    .option('--requests-per-second <number>', 'requests per second', limit)
    .option('--requests-per-minute <number>', 'requests per minute', limit)
    .option('--tokens-per-minute <number>', 'tokens of appended messages per minute', limit)
    .option(
      '--concurrent-compactions <number>',
      'compactions that run at the same time in one process',
      limit,
    );

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

const shown = (limits: TenantLimits): Shown => ({
  json: limits,
  text: table(['limit', 'at most'], Object.entries(limits)),
});
