import { ListLogWitnesses, RotateLogKey } from '@app/application';
import { Actor } from '@app/kernel';
import type { LogWitnesses } from '@app/ports';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';

/** Defines `palimpsest log …`, about the transparency log of a tenant. */
export const logCommand = (): Command =>
  new Command('log')
    .description("Manage the tenant's transparency log")
    .addCommand(witnessesCommand())
    .addCommand(rotateKeyCommand());

const witnessesCommand = (): Command =>
  withNotes(new Command('witnesses'), {
    details:
      'A witness confirms that the log shows everyone the same tree. They are the setting PALIMPSEST_WITNESSES; a witness that fails delays nothing, and is asked again after up to a minute.',
    json: '`keys` (array of vkeys), `size`, `quorum`, `witnessedSize`, `witnesses` (`name`, `key`, `url`, `size`, `cosignedAt`, `problem`, `failingSince`)',
    guide: 'proofs.md#witnesses',
  })
    .description('Show the witnesses of the log and their last cosigned trees')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const found = await queries.execute(new ListLogWitnesses(options.tenant));
        if (options.json) printJson(found);
        else print(witnessesText(found));
      });
    });

const rotateKeyCommand = (): Command =>
  withNotes(new Command('rotate-key'), {
    details:
      'An entry of the log names the new key, and the old key signs it: verifiers that trust the old key follow. Prints the new key as a line of a policy.',
    json: '`keys` (array of vkeys)',
    guide: 'proofs.md',
  })
    .description('Replace the key that signs the log; older proofs stay valid')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ commands }) => {
        const rotated = await commands.execute(new RotateLogKey(options.tenant, { actor: Actor('cli') }));
        if (options.json) printJson(rotated);
        else print(rotated.keys.map((key) => `log ${key}`).join('\n'));
      });
    });

/** Returns the witnesses of a log as a table, with the newest head that the quorum has cosigned and the log's keys. */
const witnessesText = (log: LogWitnesses): string =>
  [
    ...(log.witnesses.length === 0
      ? ['No witnesses: set PALIMPSEST_WITNESSES to a file in the form of tlog-policy.']
      : [`log of ${log.size} leaves; ${quorumText(log)}`, '', witnessTable(log)]),
    '',
    'For the policies of witnesses and readers:',
    ...log.keys.map((key) => `log ${key}`),
  ].join('\n');

const quorumText = ({ quorum, witnessedSize }: LogWitnesses): string => {
  if (quorum === 'none') return 'no quorum is demanded';
  return `quorum ${quorum}: ${witnessedSize === null ? 'no tree yet' : `${witnessedSize} leaves`}`;
};

const witnessTable = ({ witnesses }: LogWitnesses): string =>
  table(
    ['witness', 'leaves', 'cosigned at', 'state'],
    witnesses.map(({ name, size, cosignedAt, problem }) => [
      ...[name, size ?? 'nothing', cosignedAt ?? '', problem ?? 'ok'],
    ]),
  );
