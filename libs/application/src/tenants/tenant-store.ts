import { randomUUID } from 'node:crypto';
import {
  decideTenant,
  foldTenant,
  initialTenant,
  type TenantCommand,
  type TenantEvent,
  type TenantState,
} from '@app/domain';
import { AppError, BoundedMap, collected, Revision, type TenantId, tenantStream } from '@app/kernel';
import { ConflictError, type TenantLog } from '@app/ports';
import type { Caller } from '../sessions/session-store.js';
import { WriterQueues } from '../sessions/writer-queues.js';

export type LoadedTenant = { readonly state: TenantState; readonly revision: Revision | undefined };
export type ExecutedTenant = LoadedTenant & { readonly events: readonly TenantEvent[] };
/** Called with recorded events before the caller of the command receives its result. */
export type TenantListener = (tenant: TenantId, events: readonly TenantEvent[]) => void;

type TenantCommandFor = TenantCommand | ((state: TenantState) => TenantCommand);

/** Maximum of cached tenants. */
const HOT_TENANTS = 256;
/** Maximum attempts after conflicts; each conflict means progress of another writer. */
const TRIES = 50;

/** Loads tenants and executes commands on them. All events of tenants are recorded here. */
export class TenantStore {
  private readonly hot = new BoundedMap<TenantId, LoadedTenant>(HOT_TENANTS);
  private readonly listeners: TenantListener[] = [];
  private readonly queues = new WriterQueues();

  constructor(private readonly log: TenantLog) {}

  onRecorded(listener: TenantListener): void {
    this.listeners.push(listener);
  }

  /** Returns the current state of a tenant: the cached one with later events applied. */
  async load(tenant: TenantId): Promise<LoadedTenant> {
    const known = this.hot.get(tenant) ?? { state: initialTenant(tenant), revision: undefined };
    const from = Revision(known.revision === undefined ? 0 : known.revision + 1);
    const news = await collected(this.log.readForwards(tenantStream(tenant), { from }));
    const revision = news.at(-1)?.revision ?? known.revision;
    return this.keep(tenant, { state: foldTenant(known.state, news), revision });
  }

  /**
   * Decides a command and records its events; after a conflict, decides again on the new state.
   *
   * @param commandFor the command, or a function of the state that it is decided on.
   */
  execute(tenant: TenantId, commandFor: TenantCommandFor, caller: Caller): Promise<ExecutedTenant> {
    return this.queues.during(tenantStream(tenant), (afterConflict) =>
      this.record(tenant, commandFor, caller, afterConflict),
    );
  }

  private async record(
    tenant: TenantId,
    commandFor: TenantCommandFor,
    { actor, causationId }: Caller,
    afterConflict: () => Promise<void>,
  ): Promise<ExecutedTenant> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.load(tenant);
      const command = typeof commandFor === 'function' ? commandFor(before.state) : commandFor;
      const events = decideTenant(command, before.state);
      if (events.length === 0) return { ...before, events };
      const context = { actor, correlationId: randomUUID(), ...(causationId && { causationId }) };
      const news = events.map((event) => ({ id: randomUUID(), event }));
      try {
        await this.log.append(tenantStream(tenant), before.revision ?? 'no-stream', news, context);
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        if (attempt < TRIES) {
          await afterConflict();
          continue;
        }
        const message = `tenant "${tenant}" has too many concurrent writers: try again`;
        throw new AppError('concurrency-conflict', message, { cause: error });
      }
      for (const listener of this.listeners) listener(tenant, events);
      return { ...this.keep(tenant, after(before, events)), events };
    }
  }

  private keep(tenant: TenantId, loaded: LoadedTenant): LoadedTenant {
    if (loaded.revision === undefined) this.hot.delete(tenant);
    else this.hot.set(tenant, loaded);
    return loaded;
  }
}

const after = ({ state, revision }: LoadedTenant, events: readonly TenantEvent[]): LoadedTenant => ({
  state: foldTenant(
    state,
    events.map((event) => ({ event })),
  ),
  revision: Revision((revision ?? -1) + events.length),
});
