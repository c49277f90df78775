import {
  ApproveErasure,
  ChangeErasurePolicy,
  ListErasures,
  type NamedTarget,
  RequestErasure,
  ShowErasure,
  WithdrawErasure,
} from '@app/application';
import type { ErasureView } from '@app/contract';
import { AppError, ErasureId, isName, LIMITS, type SessionId, type TenantId } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parser, sessionId } from '../options.js';
import { table } from '../output/table.js';
import { countText } from '../output/value-text.js';
import { CLI, type Shown, serviceCommand } from '../result-command.js';
import type { Service } from '../service/service.js';

const ERASURE =
  '`erasure`, `state`, `target`, `reason`, `requestedBy`, `requestedAt`, `approvedBy`, `deferred`, `receipt` (`keys`, `tenantKey`, `counts`, `durationMs`, `completedAt`; null until it is completed)';

type EraseOptions = {
  readonly subject?: string;
  readonly session?: SessionId;
  readonly reason: string;
};

/** `palimpsest erase`: destroys the keys of content, for good. */
export const eraseCommand = (): Command => {
  const command: Command = serviceCommand<EraseOptions>(
    'erase',
    'Erase content for good: of a data subject, of a session, or with --tenant alone of a tenant',
    {
      details:
        'Destroys the keys of the content: nothing brings it back. With --tenant and neither --subject nor --session, all content of that tenant.',
      json: ERASURE,
      examples: ['palimpsest erase --subject customer-42 --reason "request of 24 November, case 1881"'],
      guide: 'erasure.md',
    },
    (options) => {
      const isTenantNamed = command.getOptionValueSourceWithGlobals('tenant') === 'cli';
      const erasure = { target: targetOf(options, isTenantNamed), reason: options.reason };
      return async ({ commands }) =>
        shown(await commands.execute(new RequestErasure(options.tenant, erasure, CLI)));
    },
  );
  return command
    .option('--subject <name>', 'a data subject, such as a customer, in all sessions', subjectName)
    .addOption(new Option('--session <session>', 'a session').argParser(sessionId))
    .requiredOption('--reason <text>', 'reason, kept permanently: without personal data');
};

/** The tenant alone is erased where nothing but it is named. */
const targetOf = ({ subject, session }: EraseOptions, isTenantNamed: boolean): NamedTarget => {
  const isOne = subject === undefined ? session !== undefined || isTenantNamed : session === undefined;
  if (!isOne)
    throw new AppError(
      'invalid-settings',
      'an erasure has one scope: give --subject or --session, or --tenant alone for all content of a tenant',
    );
  if (subject !== undefined) return { scope: 'subject', subject };
  return session === undefined ? { scope: 'tenant' } : { scope: 'session', session };
};

/** `palimpsest erasures …`: the erasure ledger. */
export const erasuresCommand = (): Command =>
  new Command('erasures')
    .description('List, show, approve and withdraw erasures')
    .addCommand(listCommand())
    .addCommand(
      onErasure(
        'show',
        'Show an erasure with its receipt',
        'erasure.md',
        ({ tenant }, id) =>
          ({ queries }) =>
            queries.execute(new ShowErasure(tenant, id)),
      ),
    )
    .addCommand(
      onErasure(
        'approve',
        'Approve an erasure that another person has requested',
        'erasure.md#erase',
        ({ tenant }, id) =>
          ({ commands }) =>
            commands.execute(new ApproveErasure(tenant, id, CLI)),
      ),
    )
    .addCommand(
      onErasure(
        'withdraw',
        'Withdraw an erasure that has not begun',
        'erasure.md#erase',
        ({ tenant, reason = '' }, erasure) =>
          ({ commands }) =>
            commands.execute(new WithdrawErasure(tenant, { erasure, reason }, CLI)),
      ).requiredOption('--reason <text>', 'why'),
    )
    .addCommand(policyCommand());

const onErasure = (
  name: string,
  description: string,
  guide: string,
  act: (
    options: { readonly tenant: TenantId; readonly reason?: string },
    id: ErasureId,
  ) => (service: Service) => Promise<ErasureView>,
): Command =>
  serviceCommand<{ readonly reason?: string }, [ErasureId]>(
    name,
    description,
    { json: ERASURE, guide },
    (options, id) => async (service) => shown(await act(options, id)(service)),
  ).argument('<erasure>', 'its id', erasureId);

const COLUMNS = ['erasure', 'state', 'of', 'requestedAt', 'keys', 'reason'] as const;

const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List erasures, newest first',
    { json: `array of ${ERASURE}`, guide: 'erasure.md' },
    ({ tenant }) =>
      async ({ queries }) => {
        const { erasures } = await queries.execute(new ListErasures(tenant));
        const rows = erasures.map((one) => [
          ...[one.erasure, one.state, ofText(one), one.requestedAt],
          ...[String(one.receipt?.counts.keys ?? '-'), one.reason],
        ]);
        const none = 'nothing was erased yet: `palimpsest erase --help` shows how';
        return { json: erasures, text: rows.length === 0 ? none : table(COLUMNS, rows) };
      },
  );

const policyCommand = (): Command =>
  serviceCommand<{ readonly people: '1' | '2' }>(
    'policy',
    'Set whether another person has to approve each erasure',
    { json: '`people`', guide: 'erasure.md#erase' },
    ({ tenant, people }) =>
      async ({ commands }) => {
        const policy = await commands.execute(new ChangeErasurePolicy(tenant, people === '2' ? 2 : 1, CLI));
        const count = countText(policy.people, 'person', 'people');
        return { json: policy, text: `an erasure takes ${count} from now on` };
      },
  ).addOption(
    new Option('--people <number>', 'number of people: 2 if another person approves')
      .choices(['1', '2'])
      .makeOptionMandatory(),
  );

const shown = (erasure: ErasureView): Shown => ({ json: erasure, text: textOf(erasure) });

const textOf = (one: ErasureView): string => {
  const { erasure, state, receipt, deferred } = one;
  const head = `${erasure}: ${ofText(one)}`;
  if (receipt) {
    const { counts, durationMs } = receipt;
    return `${head}, erased: ${countText(counts.keys, 'key')} of ${countText(counts.sessions, 'session')} destroyed in ${durationMs} ms`;
  }
  if (deferred) {
    const until = deferred.until === null ? '' : ` until ${deferred.until}`;
    return `${head}, deferred${until}: ${deferred.because}`;
  }
  return state === 'awaiting-approval'
    ? `${head}, waits for another person: \`palimpsest erasures approve ${erasure}\``
    : `${head}, ${state}`;
};

const ofText = ({ target }: ErasureView): string => {
  if (target.scope === 'tenant') return 'the whole tenant';
  return target.scope === 'session' ? `session ${target.session}` : `subject ${target.subject}`;
};

/** Parses a name of a data subject. */
const subjectName = (text: string): string => {
  if (isName(text, LIMITS.subject.max)) return text;
  throw new InvalidArgumentError(`give a name of at most ${LIMITS.subject.max} characters`);
};

/** Collects the names of a repeated option. */
export const subjectNames = (text: string, before: readonly string[]): readonly string[] => {
  const names = [...before, subjectName(text)];
  if (names.length <= LIMITS.subjects.max) return names;
  throw new InvalidArgumentError(`give at most ${LIMITS.subjects.max} subjects`);
};

const erasureId = parser(ErasureId);
