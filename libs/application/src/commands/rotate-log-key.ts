import type { TenantId } from '@app/kernel';
import type { TransparencyLogs } from '@app/ports';
import { Command } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import type { Caller } from '../sessions/session-store.js';

export type RotatedLogKey = {
  /** The keys that sign from now on, as vkeys (signed-note): for policies of readers and witnesses. */
  readonly keys: readonly string[];
};

/** Replaces the key of a tenant's transparency log. An entry of the log names the new key, and the old one signs it. */
export class RotateLogKey extends Command<RotatedLogKey> {
  constructor(
    readonly tenant: TenantId,
    readonly caller: Caller,
  ) {
    super();
  }
}

@HandlesCommand(RotateLogKey)
export class RotateLogKeyHandler extends Handler<
  RotateLogKey,
  'tenants' | 'clock',
  { readonly logs: Pick<TransparencyLogs, 'rotateKey'> }
> {
  /**
   * The entry of the log is the proof of the change, and the event its audit row: if the event store fails in between, the
   * command fails, and a repetition makes another key.
   *
   * @throws {AppError} `secret-unreadable`, `postgres-unavailable`, `event-store-unavailable`.
   */
  async execute({ tenant, caller }: RotateLogKey): Promise<RotatedLogKey> {
    const keys = await this.parts.logs.rotateKey(tenant);
    const data = { tenantId: tenant, keys, now: this.parts.clock.now() };
    await this.parts.tenants.execute(tenant, { type: 'RecordLogKey', data }, caller);
    return { keys };
  }
}
