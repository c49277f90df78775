import { randomUUID } from 'node:crypto';
import type { AuditRead } from '@app/domain';
import { readsStream, type TenantId } from '@app/kernel';
import type { TenantLog } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../sessions/session-store.js';

/** Records a read of audit data. Resolves when the record is durable. */
export class RecordAuditRead extends Command<void> {
  constructor(
    readonly tenant: TenantId,
    readonly read: AuditRead['data'],
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RecordAuditRead)
export class RecordAuditReadHandler implements ICommandHandler<RecordAuditRead> {
  constructor(private readonly log: TenantLog) {}

  /** Appends to a stream of its own at any revision, since no decision depends on it. */
  async execute({ tenant, read, caller }: RecordAuditRead): Promise<void> {
    const { actor, causationId } = caller;
    const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
    const event: AuditRead = { type: 'AuditRead', data: read };
    await this.log.append(readsStream(tenant), 'any', [{ id: randomUUID(), event }], context);
  }
}
