import { randomUUID } from 'node:crypto';
import type { ContentRead } from '@app/domain';
import { canonicalJson, readsStream } from '@app/kernel';
import type { Clock, TenantLog } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';

/** Records a read of text. Resolves when the record is durable; the text must not be sent earlier. */
export class RecordContentRead extends CommandOnTenant<ContentRead['data'], void> {}

/** Milliseconds within which an identical read is not recorded again. */
const SAME_READ_MS = 60_000;
/** Maximum of remembered reads; the oldest is forgotten first. */
const REMEMBERED_MAX = 10_000;

@CommandHandler(RecordContentRead)
export class RecordContentReadHandler implements ICommandHandler<RecordContentRead> {
  /** Time of the last record of each read, in milliseconds since 1970, oldest first. */
  private readonly recorded = new Map<string, number>();

  constructor(
    private readonly log: TenantLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends at most one event per minute for the same reader, endpoint, session, revisions, filters and reason, so that polling
   * does not fill the log.
   *
   * @throws {AppError} `event-store-unavailable`, `disk-full`: the text must not be sent then.
   */
  async execute({ tenant, input: read, caller }: RecordContentRead): Promise<void> {
    const { actor, causationId } = caller;
    const now = Date.parse(this.clock.now());
    const name = canonicalJson({ tenant, actor, ...read });
    const last = this.recorded.get(name);
    if (last !== undefined && now - last < SAME_READ_MS) return;
    const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
    const event: ContentRead = { type: 'ContentRead', data: read };
    await this.log.append(readsStream(tenant), 'any', [{ id: randomUUID(), event }], context);
    this.remember(name, now);
  }

  private remember(name: string, now: number): void {
    this.recorded.delete(name);
    this.recorded.set(name, now);
    const [oldest] = this.recorded.keys();
    if (this.recorded.size > REMEMBERED_MAX && oldest !== undefined) this.recorded.delete(oldest);
  }
}
