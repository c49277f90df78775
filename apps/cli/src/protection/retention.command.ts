import {
  GetRetentionDefaults,
  type ProtectionView,
  RemoveRetention,
  SetRetention,
  SetRetentionDefaults,
  ShowProtection,
} from '@app/application';
import {
  RETENTION_DAYS_MAX,
  RETENTION_MODES,
  type RetentionDefault,
  type RetentionMode,
  type RetentionPeriod,
  type TenantRetention,
} from '@app/domain';
import type { IsoTime } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { instant, nonEmpty, reason } from '../options.js';
import { table } from '../output/table.js';
import { CLI, serviceCommand, sessionCommand } from '../result-command.js';

/** `palimpsest retention …`: how long content is kept at least, and when it is erased by itself. */
export const retentionCommand = (): Command =>
  new Command('retention')
    .description('Show and change retention periods')
    .addCommand(showCommand())
    .addCommand(setCommand())
    .addCommand(removeCommand())
    .addCommand(defaultsCommand());

const showCommand = (): Command =>
  sessionCommand(
    'show',
    'Show the retention period and the holds of a session',
    {
      json: '`session`, `period` (`mode`, `until`, `days`; or `null`), `holds` (`matter`, `reason`, `by`, `at`), `barrier` (the first fact that forbids an erasure, or `null`)',
      guide: 'retention.md',
    },
    async ({ ref, palimpsest }) => {
      const view = await palimpsest.queries.execute(new ShowProtection(ref));
      return { json: view, text: protectionText(view) };
    },
  );

const setCommand = (): Command =>
  sessionCommand<{ readonly mode: RetentionMode; readonly until: IsoTime; readonly reason?: string }>(
    'set',
    'Keep a session until a date',
    {
      details: 'Periods in the mode compliance can only be lengthened.',
      json: '`mode`, `until`',
      examples: ['palimpsest retention set SESSION --mode compliance --until 2033-12-31'],
      guide: 'retention.md#retention-periods',
    },
    async ({ ref, options: { mode, until, reason: why }, palimpsest, caller }) => {
      const input = { mode, until, mayShorten: true, ...(why !== undefined && { reason: why }) };
      const period = await palimpsest.commands.execute(new SetRetention(ref, input, caller));
      return { json: period, text: `${ref.session} is kept ${periodText(period)}` };
    },
  )
    .addOption(
      new Option('--mode <mode>', 'governance: can be shortened with a reason; compliance: cannot')
        .choices(RETENTION_MODES)
        .makeOptionMandatory(),
    )
    .requiredOption('--until <time>', 'the date, such as 2033-12-31', instant)
    .option('--reason <text>', 'why, for the audit; required to shorten a period', reason);

const removeCommand = (): Command =>
  sessionCommand<{ readonly reason: string }>(
    'remove',
    'Remove the retention period of a session, in the mode governance',
    { json: '`removed` (`false` if there was none)' },
    async ({ ref, options, palimpsest, caller }) => {
      const input = { reason: options.reason, mayShorten: true };
      const answer = await palimpsest.commands.execute(new RemoveRetention(ref, input, caller));
      const text = answer.removed ? 'has no retention period any more' : 'had no retention period';
      return { json: answer, text: `${ref.session} ${text}` };
    },
  ).requiredOption('--reason <text>', 'why, for the audit', reason);

type DefaultsOptions = {
  readonly default?: RetentionDefault | null;
  readonly profile?: readonly (readonly [string, RetentionDefault | null])[];
};
const defaultsCommand = (): Command =>
  serviceCommand<DefaultsOptions>(
    'defaults',
    'Show or replace the retention periods of new sessions',
    {
      details: 'With an option, replaces all defaults. Sessions that are open already are not concerned.',
      json: '`default`, `profiles`',
      examples: ['palimpsest retention defaults --default compliance:2555 --profile minimal=governance:30'],
      guide: 'retention.md#defaults',
    },
    ({ tenant, default: byDefault, profile }) =>
      async ({ commands, queries }) => {
        const isChange = byDefault !== undefined || profile !== undefined;
        const wanted = { default: byDefault ?? null, profiles: Object.fromEntries(profile ?? []) };
        const retention = isChange
          ? await commands.execute(new SetRetentionDefaults(tenant, wanted, CLI))
          : await queries.execute(new GetRetentionDefaults(tenant));
        return { json: retention, text: defaultsText(retention) };
      },
  )
    .option('--default <period>', 'MODE:DAYS, such as compliance:2555, or none', period)
    .option('--profile <name=period>', 'the same for sessions with this profile; repeatable', profilePeriod);

function period(text: string): RetentionDefault | null {
  if (text === 'none') return null;
  const [mode, days, ...rest] = text.split(':');
  const known = RETENTION_MODES.find((one) => one === mode);
  const count = Number(days);
  if (!known || rest.length > 0 || !Number.isInteger(count) || count < 1 || count > RETENTION_DAYS_MAX)
    throw new InvalidArgumentError(
      `give none, or a mode (${RETENTION_MODES.join(', ')}) and 1 to ${RETENTION_DAYS_MAX} days, such as compliance:2555`,
    );
  return { mode: known, days: count };
}

function profilePeriod(
  text: string,
  before: readonly (readonly [string, RetentionDefault | null])[] = [],
): readonly (readonly [string, RetentionDefault | null])[] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('give a profile and its period, such as core=governance:30');
  return [...before, [nonEmpty(text.slice(0, at)), period(text.slice(at + 1))]];
}

const protectionText = ({ session, period: kept, holds }: ProtectionView): string => {
  const held = holds.map(({ matter, reason: why }) => `held for ${matter}: ${why}`);
  const first = kept ? `${session} is kept ${periodText(kept)}` : `${session} has no retention period`;
  return [first, ...held].join('\n');
};

const periodText = ({ mode, until, days }: RetentionPeriod): string =>
  `until ${until} (${mode}${days === undefined ? '' : `, ${days} days after its newest event`})`;

const defaultsText = ({ default: byDefault, profiles }: TenantRetention): string =>
  table(
    ['profile', 'mode', 'days'],
    [...Object.entries(profiles), ['all others', byDefault] as const].map(([name, one]) => [
      name,
      one?.mode ?? 'none',
      one?.days ?? null,
    ]),
  );
