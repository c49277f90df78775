import { PlaceLegalHold, ReleaseLegalHold, ShowProtection } from '@app/application';
import type { LegalHold } from '@app/domain';
import { collected, MatterName, type SessionId, SessionId as sessionId } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, parser, reason } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { json, print, printLine } from '../output/print.js';
import { timeText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';

/** `palimpsest holds …`: sessions of which nothing is erased while the hold lasts. */
export const holdsCommand = (): Command =>
  new Command('holds')
    .description('Place, release and list legal holds, which block erasures')
    .addCommand(placeCommand())
    .addCommand(releaseCommand())
    .addCommand(listCommand());

const placeCommand = (): Command =>
  sessionCommand<{ readonly reason: string }, [MatterName]>(
    'place',
    'Hold a session for a matter',
    {
      json: '`matter`, `reason`, `by`, `at`',
      examples: ['palimpsest holds place SESSION case-2026-17 --reason "litigation is expected"'],
      guide: 'retention.md#legal-holds',
    },
    async ({ ref, options, palimpsest, caller }, held) => {
      const hold = { matter: held, reason: options.reason };
      const placed = await palimpsest.commands.execute(new PlaceLegalHold(ref, hold, caller));
      return { json: placed, text: `${ref.session} is held for ${placed.matter}` };
    },
  )
    .argument('<matter>', 'matter of the hold, such as case-2026-17', matter)
    .requiredOption('--reason <text>', 'why, for the audit', reason);

const releaseCommand = (): Command =>
  sessionCommand<{ readonly reason: string }, [MatterName]>(
    'release',
    'Release a hold of a session',
    { json: '`holds` that remain' },
    async ({ ref, options, palimpsest, caller }, held) => {
      const release = { matter: held, reason: options.reason };
      const left = await palimpsest.commands.execute(new ReleaseLegalHold(ref, release, caller));
      const names = left.holds.map((hold) => hold.matter).join(', ');
      const rest = names === '' ? 'it has no other hold' : `it stays held for ${names}`;
      return { json: left, text: `${ref.session} is released from ${release.matter}: ${rest}` };
    },
  )
    .argument('<matter>', 'matter of the hold', matter)
    .requiredOption('--reason <text>', 'why, for the audit', reason);

type Listed = LegalHold & { readonly session: SessionId };
const COLUMNS: readonly Column<Listed>[] = [
  { name: 'session', of: ({ session }) => session, cutTo: 12 },
  { name: 'matter', of: ({ matter: name }) => name },
  { name: 'at', of: ({ at }) => timeText(at) },
  { name: 'by', of: ({ by }) => by, cutTo: 8 },
  { name: 'reason', of: ({ reason: why }) => why, cutTo: 12 },
];

type ListOptions = GlobalOptions & { readonly matter?: MatterName };
const listCommand = (): Command =>
  withNotes(new Command('list'), { json: 'lines with `session`, `matter`, `reason`, `by`, `at`' })
    .description('List the holds of a session, or of all sessions of the tenant')
    .argument('[session]', 'session ID')
    .option('--matter <matter>', 'only holds for this matter', matter)
    .action((session: string | undefined, _, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      return withService(options, async (service) => {
        const all = await collected(holdsOf(service, options, session));
        const holds = all.filter((hold) => options.matter === undefined || hold.matter === options.matter);
        if (options.json) for (const hold of holds) await printLine(json(hold));
        else print(holds.length === 0 ? 'no session is held' : fittingTable(COLUMNS, holds));
      });
    });

const holdsOf = async function* (
  service: Service,
  { tenant, matter: name }: ListOptions,
  session: string | undefined,
): AsyncGenerator<Listed> {
  if (session !== undefined) {
    const ref = { tenant, session: sessionId(session) };
    const { holds } = await service.queries.execute(new ShowProtection(ref));
    for (const hold of holds) yield { session: ref.session, ...hold };
    return;
  }
  for await (const held of service.held(tenant, name === undefined ? {} : { matter: name }))
    for (const hold of held.holds) yield { session: held.session, ...hold };
};

const matter = parser(MatterName);
