import { createHash, randomUUID } from 'node:crypto';
import type { AuditRead } from '@app/domain';
import { isJsonObject, readsStream } from '@app/kernel';
import type { TenantLog } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';

/** Records a read of audit data. Resolves when the record is durable. */
export class RecordAuditRead extends CommandOnTenant<AuditRead['data'], void> {}

/**
 * Returns the filters of a read as it records them: values of metadata, which can be erased later, as a digest, and all
 * others as text.
 */
export const readFilters = (given: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: readonly [string, unknown]) =>
      value === undefined ? [] : [[name, IDENTITY.has(name) ? digestOf(String(value)) : filterText(value)]],
    ),
  );

const IDENTITY: ReadonlySet<string> = new Set(['project', 'user', 'customer']);
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const filterText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(filterText).join();
  if (!isJsonObject(value)) return String(value);
  const { name, value: wanted } = value; // A label, the only filter with members.
  return wanted === undefined ? String(name) : `${String(name)}=${digestOf(String(wanted))}`;
};

@CommandHandler(RecordAuditRead)
export class RecordAuditReadHandler implements ICommandHandler<RecordAuditRead> {
  constructor(private readonly log: TenantLog) {}

  /** Appends to a stream of its own at any revision, since no decision depends on it. */
  async execute({ tenant, input: read, caller }: RecordAuditRead): Promise<void> {
    const { actor, causationId } = caller;
    const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
    const event: AuditRead = { type: 'AuditRead', data: read };
    await this.log.append(readsStream(tenant), 'any', [{ id: randomUUID(), event }], context);
  }
}
