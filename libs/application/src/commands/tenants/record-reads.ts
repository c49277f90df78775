import { randomUUID } from 'node:crypto';
import type { TenantEventOf } from '@app/domain';
import { BoundedMap, canonicalJson, isJsonObject, readsStream, type TenantId } from '@app/kernel';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnTenant } from '../../command-and-query.js';
import { Handler, type HandlerParts, HandlesCommand } from '../../handlers.js';
import type { Fingerprints } from '../../sessions/customer-of.js';

/** A read of audit data, with the filters as the reader gave them; members that are `undefined` were not given. */
export type AuditReadMade = Pick<TenantEventOf<'AuditRead'>['data'], 'endpoint' | 'rows'> & {
  readonly filters: object;
};

/**
 * Records a read of audit data, with values of metadata, which can be erased later, as fingerprints by the tenant's key, and
 * all other filters as text. Resolves when the record is durable.
 */
export class RecordAuditRead extends CommandOnTenant<AuditReadMade, void> {}

/** Filters whose values are texts of sessions. */
const ERASABLE: ReadonlySet<string> = new Set(['project', 'user', 'customer', 'lost']);

@HandlesCommand(RecordAuditRead)
export class RecordAuditReadHandler extends Handler<
  RecordAuditRead,
  'tenantLog',
  { readonly keys: Fingerprints }
> {
  /** Appends to a stream of its own at any revision, since no decision depends on it. */
  async execute({ tenant, input, caller }: RecordAuditRead): Promise<void> {
    const { actor, causationId } = caller;
    const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
    const given = Object.entries(input.filters).filter(([, value]) => value !== undefined);
    const filters = Object.fromEntries(
      await Promise.all(
        given.map(async ([name, value]) => [name, await this.#filter(tenant, name, value)] as const),
      ),
    );
    const event: TenantEventOf<'AuditRead'> = { type: 'AuditRead', data: { ...input, filters } };
    await this.parts.tenantLog.append(readsStream(tenant), 'any', [{ id: randomUUID(), event }], context);
  }

  async #filter(tenant: TenantId, name: string, given: unknown): Promise<string> {
    if (ERASABLE.has(name)) return this.#fingerprint(tenant, String(given));
    if (Array.isArray(given))
      return (await Promise.all(given.map((one: unknown) => this.#filter(tenant, name, one)))).join();
    if (!isJsonObject(given)) return String(given);
    const { name: label, value } = given; // A label, the only filter with members.
    return value === undefined
      ? String(label)
      : `${String(label)}=${await this.#fingerprint(tenant, String(value))}`;
  }

  async #fingerprint(tenant: TenantId, text: string): Promise<string> {
    return (await this.parts.keys.subjectRefs(tenant, [text])).join();
  }
}

/** Records a read of text. Resolves when the record is durable; the text must not be sent earlier. */
export class RecordContentRead extends CommandOnTenant<TenantEventOf<'ContentRead'>['data'], void> {}

/** Milliseconds within which an identical read is not recorded again. */
const SAME_READ_MS = 60_000;
/** Maximum of remembered reads; the oldest is forgotten first. */
const REMEMBERED_MAX = 10_000;

@HandlesCommand(RecordContentRead)
export class RecordContentReadHandler implements ICommandHandler<RecordContentRead> {
  /** Time of the last record of each read, in milliseconds since 1970, oldest first. */
  private readonly recorded = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(private readonly parts: Pick<HandlerParts, 'tenantLog' | 'clock'>) {}

  /**
   * Appends at most one event per minute for the same reader, endpoint, session, revisions, filters and reason, so that polling
   * does not fill the log.
   *
   * @throws {AppError} `event-store-unavailable`, `disk-full`: the text must not be sent then.
   */
  async execute({ tenant, input: read, caller }: RecordContentRead): Promise<void> {
    const { actor, causationId } = caller;
    const now = Date.parse(this.parts.clock.now());
    const name = canonicalJson({ tenant, actor, ...read });
    const last = this.recorded.get(name);
    if (last !== undefined && now - last < SAME_READ_MS) return;
    const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
    const event: TenantEventOf<'ContentRead'> = { type: 'ContentRead', data: read };
    await this.parts.tenantLog.append(readsStream(tenant), 'any', [{ id: randomUUID(), event }], context);
    this.recorded.set(name, now);
  }
}
