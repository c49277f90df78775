import type { EventLog } from '../log/event-log.js';
import type { Engine, Put } from '../storage/engine.js';
import type { Source } from '../streams/reads/read-plan.js';
import { configEvent } from './definition/config-event.js';
import {
  checkpointStreamOf,
  type GroupDefinition,
  groupKey,
  parkedStreamOf,
  sourceName,
} from './definition/group-definition.js';
import { loadGroups, putDefinition, putNew, removeGroup } from './definition/group-store.js';
import { Group, type Start } from './delivery/group.js';
import { groupExists, groupMissing } from './failures.js';
import { emptying } from './parked/truncation.js';

/** All persistent subscriptions of the store. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  /** Pending creates, updates and deletes. */
  readonly #busy = new Map<string, Promise<void>>();

  constructor(
    private readonly log: EventLog,
    engine: Engine,
  ) {
    for (const { definition, checkpoint } of loadGroups(engine))
      this.#start(definition, { first: checkpoint ?? definition.first, checkpoint });
  }

  /** @throws {GrpcFailure} if a group of that name exists. */
  async create(definition: GroupDefinition): Promise<void> {
    const { source, group } = definition;
    // A client that gets "already exists" connects at once: the group must be there by then.
    await this.#untilIdle(source, group);
    if (this.#find(source, group)) throw groupExists(source, group);
    const start = { first: definition.first, checkpoint: undefined };
    await this.#change(definition, putNew(definition), [...this.#definitions(), definition], () =>
      this.#start(definition, start),
    );
  }

  /**
   * Updates a group, which continues at its checkpoint, or starts as `definition` says without one. Drops its
   * consumers, which may reconnect. Keeps the filter.
   * @throws {GrpcFailure} if the group does not exist.
   */
  async update(definition: GroupDefinition): Promise<void> {
    const { source, group: name } = definition;
    await this.#untilIdle(source, name);
    const group = this.get(source, name);
    const { filter } = group.definition;
    const updated = { ...definition, ...(filter ? { filter } : {}) };
    const others = this.#definitions().map((other) => (other === group.definition ? updated : other));
    await this.#change(updated, [putDefinition(updated)], others, () => this.#replace(group, updated));
  }

  /** Drops the group's consumers and truncates its streams. @throws {GrpcFailure} if the group does not exist. */
  async delete(source: Source, name: string): Promise<void> {
    await this.#untilIdle(source, name);
    const group = this.get(source, name);
    const { definition } = group;
    const key = groupKey(source, name);
    const others = this.#definitions().filter((other) => other !== definition);
    this.#groups.delete(key);
    try {
      await this.#change(definition, removeGroup(definition), others, () => group.drop());
    } catch (fault) {
      this.#groups.set(key, group);
      throw fault;
    }
    const { reader } = this.log;
    const streams = [parkedStreamOf(definition), checkpointStreamOf(definition)];
    // The group is deleted even if its streams cannot be truncated.
    const emptied = streams
      .flatMap((stream) => emptying(reader, stream))
      .map((append) => this.log.append(append));
    await Promise.allSettled(emptied);
  }

  /** @throws {GrpcFailure} if the group does not exist. */
  get(source: Source, name: string): Group {
    const group = this.#find(source, name);
    if (!group) throw groupMissing(source, name);
    return group;
  }

  /** Returns the groups of one source, or all, sorted by source. */
  list(source?: Source): Group[] {
    const nameOf = ({ definition }: Group): string => sourceName(definition.source);
    const wanted = source && sourceName(source);
    return [...this.#groups.values()]
      .filter((group) => wanted === undefined || nameOf(group) === wanted)
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))));
  }

  /** Drops all consumers, which may reconnect, and continues each group at its checkpoint. */
  restart(): void {
    for (const group of [...this.#groups.values()]) this.#replace(group, group.definition);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  #find(source: Source, name: string): Group | undefined {
    return this.#groups.get(groupKey(source, name));
  }

  #definitions(): GroupDefinition[] {
    return [...this.#groups.values()].map(({ definition }) => definition);
  }

  #start(definition: GroupDefinition, start: Start): void {
    const key = groupKey(definition.source, definition.group);
    this.#groups.set(key, new Group(this.log, definition, start));
  }

  #replace(group: Group, definition: GroupDefinition): void {
    const { written: checkpoint } = group.checkpointer;
    const { place, sequence } = group.progress();
    group.drop();
    const first = sequence > 0 || checkpoint !== undefined ? place : definition.first;
    this.#start(definition, { first, checkpoint });
  }

  async #untilIdle(source: Source, name: string): Promise<void> {
    const key = groupKey(source, name);
    while (this.#busy.has(key)) await this.#busy.get(key)?.catch(() => undefined);
  }

  /** `changed` is called once the change is on disk, before waiting callers resume. */
  async #change(
    { source, group }: GroupDefinition,
    puts: readonly Put[],
    definitions: readonly GroupDefinition[],
    changed: () => void,
  ): Promise<void> {
    const key = groupKey(source, group);
    const put = this.log.put(puts);
    // For readers of the log, in the same transaction.
    for (const event of configEvent(this.log.reader, definitions))
      this.log.append(event).catch(() => undefined);
    const change = put.then(changed);
    this.#busy.set(key, change);
    try {
      await change;
    } finally {
      this.#busy.delete(key);
    }
  }
}
