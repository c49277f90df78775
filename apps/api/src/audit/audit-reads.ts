import { RecordAuditRead } from '@app/application';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Calling } from '../http/calling.js';

/** What was asked for, and how many rows were found for it. */
export type ReadMade = {
  /** Such as `GET /v1/audit`. */
  readonly endpoint: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly rows: number;
};

/**
 * Records who looked at what, before they see it: an answer whose reading cannot be recorded is not given.
 */
@Injectable()
export class AuditReads {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  record(
    { tenant, caller }: Pick<Calling, 'tenant' | 'caller'>,
    { endpoint, given, rows }: ReadMade,
  ): Promise<void> {
    const filters = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
      ),
    );
    return this.commands.execute(new RecordAuditRead(tenant, { endpoint, filters, rows }, caller));
  }
}
