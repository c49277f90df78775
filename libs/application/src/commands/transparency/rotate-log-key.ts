import type { TenantId } from '@app/kernel';
import type { TransparencyLogs } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

export type RotatedLogKey = {
  /** The keys that sign from now on, as vkeys (signed-note): for policies of readers and witnesses. */
  readonly keys: readonly string[];
};

/** Replaces the key of a tenant's transparency log. An entry of the log names the new key, and the old one signs it. */
export class RotateLogKey extends Command<RotatedLogKey> {
  constructor(readonly tenant: TenantId) {
    super();
  }
}

@CommandHandler(RotateLogKey)
export class RotateLogKeyHandler implements ICommandHandler<RotateLogKey> {
  constructor(private readonly logs: Pick<TransparencyLogs, 'rotateKey'>) {}

  /** @throws {AppError} `secret-unreadable`, `postgres-unavailable`. */
  async execute({ tenant }: RotateLogKey): Promise<RotatedLogKey> {
    return { keys: await this.logs.rotateKey(tenant) };
  }
}
