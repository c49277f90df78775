import { RecordAuditRead } from '@app/application';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ApiCaller } from '../http/current-caller.js';

/** A read of the audit: its filters and the number of rows returned. */
export type ReadMade = {
  /** Such as `GET /v1/audit`. */
  readonly endpoint: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly rows: number;
};

/** Records reads of the audit. Controllers record each read before they answer: a read that cannot be recorded fails. */
@Injectable()
export class AuditReads {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  record(
    { tenant, caller }: Pick<ApiCaller, 'tenant' | 'caller'>,
    { endpoint, given, rows }: ReadMade,
  ): Promise<void> {
    return this.commands.execute(new RecordAuditRead(tenant, { endpoint, filters: given, rows }, caller));
  }
}
