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
import { Actor, AppError, ErasureId, isName, LIMITS, type SessionId } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, parser, sessionId } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { countText } from '../output/value-text.js';
import { withService } from '../session-run.js';

const ERASURE =
  '`erasure`, `state`, `target`, `reason`, `requestedBy`, `requestedAt`, `approvedBy`, `deferred`, `receipt` (`keys`, `tenantKey`, `counts`, `durationMs`, `completedAt`; null until it is completed)';

const caller = { actor: Actor('cli') };

type EraseOptions = {
  readonly subject?: string;
  readonly session?: SessionId;
  readonly reason: string;
};

/** `palimpsest erase`: destroys the keys of content, for good. */
export const eraseCommand = (): Command =>
  withNotes(new Command('erase'), {
    details:
      'Destroys the keys of the content: nothing brings it back. With --tenant and neither --subject nor --session, all content of that tenant.',
    json: ERASURE,
    examples: ['palimpsest erase --subject customer-42 --reason "request of 24 November, case 1881"'],
    guide: 'erasure.md',
  })
    .description(
      'Erase content for good: of a data subject, of a session, or with --tenant alone of a tenant',
    )
    .option('--subject <name>', 'a data subject, such as a customer, in all sessions', subjectName)
    .addOption(new Option('--session <session>', 'a session').argParser(sessionId))
    .requiredOption('--reason <text>', 'reason, kept permanently: without personal data')
    .action((given: EraseOptions, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & EraseOptions>();
      const isTenantNamed = command.getOptionValueSourceWithGlobals('tenant') === 'cli';
      const target = targetOf(given, isTenantNamed);
      return withService(options, async ({ commands }) =>
        show(
          await commands.execute(
            new RequestErasure(options.tenant, { target, reason: options.reason }, caller),
          ),
          options,
        ),
      );
    });

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
      onErasure('show', 'erasure.md', 'Show an erasure with its receipt', ({ tenant }, id, { queries }) =>
        queries.execute(new ShowErasure(tenant, id)),
      ),
    )
    .addCommand(
      onErasure(
        'approve',
        'erasure.md#erase',
        'Approve an erasure that another person has requested',
        ({ tenant }, id, { commands }) => commands.execute(new ApproveErasure(tenant, id, caller)),
      ),
    )
    .addCommand(
      onErasure(
        'withdraw',
        'erasure.md#erase',
        'Withdraw an erasure that has not begun',
        ({ tenant, reason = '' }, id, { commands }) =>
          commands.execute(new WithdrawErasure(tenant, { erasure: id, reason }, caller)),
      ).requiredOption('--reason <text>', 'why'),
    )
    .addCommand(policyCommand());

type Parts = Parameters<Parameters<typeof withService>[1]>[0];

const onErasure = (
  name: string,
  guide: string,
  description: string,
  act: (
    options: GlobalOptions & { readonly reason?: string },
    id: ErasureId,
    parts: Parts,
  ) => Promise<ErasureView>,
): Command =>
  withNotes(new Command(name), { json: ERASURE, guide })
    .description(description)
    .argument('<erasure>', 'its id', erasureId)
    .action((id: ErasureId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly reason?: string }>();
      return withService(options, async (parts) => show(await act(options, id, parts), options));
    });

const COLUMNS = ['erasure', 'state', 'of', 'requestedAt', 'keys', 'reason'] as const;

const listCommand = (): Command =>
  withNotes(new Command('list'), { json: `array of ${ERASURE}`, guide: 'erasure.md' })
    .description('List erasures, newest first')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const { erasures } = await queries.execute(new ListErasures(options.tenant));
        const rows = erasures.map((one) => [
          ...[one.erasure, one.state, ofText(one), one.requestedAt],
          ...[String(one.receipt?.counts.keys ?? '-'), one.reason],
        ]);
        if (options.json) printJson(erasures);
        else if (erasures.length === 0) print('nothing was erased yet: `palimpsest erase --help` shows how');
        else print(table(COLUMNS, rows));
      });
    });

const policyCommand = (): Command =>
  withNotes(new Command('policy'), { json: '`people`', guide: 'erasure.md#erase' })
    .description('Set whether another person has to approve each erasure')
    .addOption(
      new Option('--people <number>', 'number of people: 2 if another person approves')
        .choices(['1', '2'])
        .makeOptionMandatory(),
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly people: '1' | '2' }>();
      return withService(options, async ({ commands }) => {
        const people = options.people === '2' ? 2 : 1;
        const policy = await commands.execute(new ChangeErasurePolicy(options.tenant, people, caller));
        if (options.json) printJson(policy);
        else print(`an erasure takes ${countText(policy.people, 'person', 'people')} from now on`);
      });
    });

const show = (erasure: ErasureView, { json }: GlobalOptions): void => {
  if (json) printJson(erasure);
  else print(textOf(erasure));
};

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
