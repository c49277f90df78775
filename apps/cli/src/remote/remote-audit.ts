import type { AuditRead } from '@app/application';
import type { AuditFilter, PalimpsestClient } from '@app/client';
import { defined, LogPosition, pick } from '@app/kernel';
import type { AuditRow, DescriptionFilter, AuditFilter as LocalFilter } from '@app/ports';
import { withLabels } from './remote-filters.js';
import { resultOf } from './result-of.js';

/** Maximum page size of the API. */
const PAGE = 1_000;

/** Converts rows to their local form: the API has positions as strings. */
export async function* remoteAudit(
  { audit }: PalimpsestClient,
  read: AuditRead,
): AsyncGenerator<readonly AuditRow[], void, undefined> {
  const { limit = Number.POSITIVE_INFINITY, sort } = read;
  const query = { ...auditFilter(read), ...(sort && { sort }) };
  let cursor: string | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await audit.page({ ...query, limit: size, ...(cursor !== undefined && { cursor }) });
    if (page.items.length > 0) yield page.items.map((row) => resultOf<AuditRow>(row)).map(withPosition);
    if (page.next === null) return;
    cursor = page.next;
    left -= page.items.length;
  }
}

const withPosition = (row: AuditRow): AuditRow => ({ ...row, position: LogPosition(BigInt(row.position)) });

const descriptionIn = ({ agent, project, labels }: LocalFilter): DescriptionFilter => ({
  ...defined({ agent, project, labels }),
});

/** Returns a filter as the API takes it. */
export const auditFilter = (read: LocalFilter): AuditFilter => ({
  ...withLabels(descriptionIn(read)),
  ...(read.session !== undefined && { session: read.session }),
  ...(read.types && { type: read.types }),
  ...pick(read, 'trigger', 'outcome', 'profile', 'model', 'actor'),
  ...defined({ correlation: read.correlationId, compaction: read.compactionId }),
  ...pick(read, 'lost', 'since', 'until'),
});
