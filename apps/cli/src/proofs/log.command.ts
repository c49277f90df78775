import { ListLogWitnesses, RotateLogKey } from '@app/application';
import type { LogWitnesses } from '@app/ports';
import { Command } from 'commander';
import { table } from '../output/table.js';
import { CLI, serviceCommand } from '../result-command.js';

/** Defines `palimpsest log …`, about the transparency log of a tenant. */
export const logCommand = (): Command =>
  new Command('log')
    .description("Manage the tenant's transparency log")
    .addCommand(witnessesCommand())
    .addCommand(rotateKeyCommand());

const witnessesCommand = (): Command =>
  serviceCommand(
    'witnesses',
    'Show the witnesses of the log and their last cosigned trees',
    {
      details:
        'A witness confirms that the log shows everyone the same tree. They are the setting PALIMPSEST_WITNESSES; a witness that fails delays nothing, and is asked again after up to a minute.',
      json: '`keys` (array of vkeys), `size`, `quorum`, `witnessedSize`, `witnesses` (`name`, `key`, `url`, `size`, `cosignedAt`, `problem`, `failingSince`)',
      guide: 'proofs.md#witnesses',
    },
    ({ tenant }) =>
      async ({ queries }) => {
        const found = await queries.execute(new ListLogWitnesses(tenant));
        return { json: found, text: witnessesText(found) };
      },
  );

const rotateKeyCommand = (): Command =>
  serviceCommand(
    'rotate-key',
    'Replace the key that signs the log; older proofs stay valid',
    {
      details:
        'An entry of the log names the new key, and the old key signs it: verifiers that trust the old key follow. Prints the new key as a line of a policy.',
      json: '`keys` (array of vkeys)',
      guide: 'proofs.md',
    },
    ({ tenant }) =>
      async ({ commands }) => {
        const rotated = await commands.execute(new RotateLogKey(tenant, CLI));
        return { json: rotated, text: rotated.keys.map((key) => `log ${key}`).join('\n') };
      },
  );

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
