import type { LogWitnesses } from '@app/ports';
import { table } from '../output/table.js';

/** Returns the witnesses of a log as a table, under the head of the log and the newest one with a quorum. */
export const witnessesText = ({ size, quorum, witnessedSize, witnesses }: LogWitnesses): string => {
  if (witnesses.length === 0)
    return 'no witnesses: set PALIMPSEST_WITNESSES to a file in the form of tlog-policy';
  const demanded =
    quorum === 'none'
      ? 'no quorum is demanded'
      : `quorum ${quorum}: ${witnessedSize === null ? 'no tree yet' : `${witnessedSize} leaves`}`;
  const rows = witnesses.map((one) => [
    one.name,
    one.size === null ? 'nothing' : String(one.size),
    one.cosignedAt ?? '',
    one.problem ?? 'ok',
  ]);
  return [`log of ${size} leaves; ${demanded}`, '', table(['witness', 'leaves', 'cosigned at', 'state'], rows)].join(
    '\n',
  );
};
