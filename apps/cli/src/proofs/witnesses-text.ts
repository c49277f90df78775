import type { LogWitnesses } from '@app/ports';
import { table } from '../output/table.js';

/** Returns the witnesses of a log as a table, with the newest head that the quorum has cosigned and the log's keys. */
export const witnessesText = (log: LogWitnesses): string =>
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
