import type { EventLog } from '../log/event-log.js';
import type { Engine } from '../storage/engine.js';
import type { Source } from '../streams/reading/read-plan.js';
import { groupExists, groupMissing } from './failures.js';
import { Group } from './group.js';
import { type GroupDefinition, groupKey } from './group-definition.js';
import { loadGroups, putCheckpoint, putDefinition, removeGroup } from './group-store.js';

/** All persistent subscriptions of the store. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  /** Being created or deleted: their outcome is not on disk yet. */
  readonly #busy = new Map<string, Promise<void>>();

  constructor(
    private readonly log: EventLog,
    engine: Engine,
  ) {
    for (const { definition, checkpoint } of loadGroups(engine)) this.#add(definition, checkpoint);
  }

  /** @throws {GrpcFailure} where there is one of that name already. */
  async create(definition: GroupDefinition): Promise<void> {
    const key = groupKey(definition.source, definition.group);
    // Whoever is told that there is one connects to it at once: it must be there by then.
    while (this.#busy.has(key)) await this.#busy.get(key)?.catch(() => undefined);
    if (this.#groups.has(key)) throw groupExists(definition.source, definition.group);
    await this.#changing(key, [putDefinition(definition), putCheckpoint(definition, definition.first)], () =>
      this.#add(definition, definition.first),
    );
  }

  /** Ends it for its consumers too. @throws {GrpcFailure} where there is none. */
  async delete(source: Source, name: string): Promise<void> {
    const group = this.get(source, name);
    const key = groupKey(source, name);
    await this.#changing(key, removeGroup(group.definition), () => {
      this.#groups.delete(key);
      group.drop();
    });
  }

  /** @throws {GrpcFailure} where there is none, or no longer. */
  get(source: Source, name: string): Group {
    const key = groupKey(source, name);
    const group = this.#groups.get(key);
    if (!group || this.#busy.has(key)) throw groupMissing(source, name);
    return group;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  #add(definition: GroupDefinition, checkpoint: number): void {
    const key = groupKey(definition.source, definition.group);
    this.#groups.set(key, new Group(this.log, definition, checkpoint));
  }

  /** `changed` is called once the change is on disk, before anybody who waits for it goes on. */
  async #changing(key: string, puts: Parameters<EventLog['put']>[0], changed: () => void): Promise<void> {
    const change = this.log.put(puts).then(changed);
    this.#busy.set(key, change);
    try {
      await change;
    } finally {
      this.#busy.delete(key);
    }
  }
}
