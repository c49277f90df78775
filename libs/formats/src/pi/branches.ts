import type { JsonObject } from '@app/kernel';
import type { DraftSession } from '../drafts/draft.js';
import { stringIn } from '../drafts/members.js';

/** The branching point: the newest message or compaction before it. */
type Behind = NonNullable<DraftSession['fork']>['behind'];

/** The position of a record in the tree. */
type Node = {
  readonly branch: string;
  /** The newest message or compaction up to it, and the branch of its session; `undefined` at the root. */
  behind: { readonly key: string; readonly what: NonNullable<Behind> } | undefined;
};

/** A branch of the tree: records with one successor each. */
export type Branch = { readonly key: string; readonly fork?: DraftSession['fork'] };

/**
 * Assigns each record to a branch of pi's tree. The first path from the root is the session; a record that leaves a
 * path with a successor begins a branch. Memory: about 200 bytes per record.
 */
export class Branches {
  readonly #nodes = new Map<string, Node>();
  /** The newest record of each branch. */
  readonly #tips = new Map<string, string>();
  readonly #forks = new Map<string, DraftSession['fork']>();
  #newest: string;

  constructor(private readonly trunk: string) {
    this.#newest = trunk;
  }

  /** Called for every record in order: records without an id, as in lists, continue the last branch. */
  branchOf(record: JsonObject): Branch {
    const id = stringIn(record, 'id');
    if (id === undefined || this.#nodes.has(id)) return this.#branch(this.#newest);
    const parent = stringIn(record, 'parentId');
    const key = this.#keyFor(id, parent, record.parentId === null);
    const before = parent === undefined ? undefined : this.#nodes.get(parent);
    this.#nodes.set(id, { branch: key, behind: before?.behind });
    this.#tips.set(key, id);
    this.#newest = key;
    return this.#branch(key);
  }

  /** Marks a record as a message or a compaction of its branch's session. */
  settle(record: JsonObject, kind: 'message' | 'compaction'): void {
    const id = stringIn(record, 'id');
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (id !== undefined && node) node.behind = { key: node.branch, what: { kind, id } };
  }

  #branch(key: string): Branch {
    const fork = this.#forks.get(key);
    return { key, ...(fork && { fork }) };
  }

  /** A record with a lost parent, and its line, continue the last branch. */
  #keyFor(id: string, parent: string | undefined, isRoot: boolean): string {
    const from = parent === undefined ? undefined : this.#nodes.get(parent);
    if (!from && (!isRoot || this.#tips.size === 0)) return this.#newest;
    if (from && this.#tips.get(from.branch) === parent) return from.branch;
    const key = `${this.trunk} ${id}`;
    this.#forks.set(key, {
      name: id,
      fromKey: from?.behind?.key ?? this.trunk,
      behind: from?.behind?.what,
    });
    return key;
  }
}
