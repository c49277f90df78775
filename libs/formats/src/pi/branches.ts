import type { JsonObject } from '@app/kernel';
import type { DraftSession } from '../drafts/draft.js';
import { stringIn } from '../drafts/members.js';

/** What a branch begins behind: the newest message or compaction of the tree up to there. */
type Behind = NonNullable<DraftSession['fork']>['behind'];

/** Where a record stands in the tree. */
type Node = {
  readonly branch: string;
  /** The newest message or compaction up to it, and the branch in whose session that stands; none at the root. */
  behind: { readonly key: string; readonly what: NonNullable<Behind> } | undefined;
};

/** A branch of the tree: what goes on from one record to the next, as far as there is only one. */
export type Branch = { readonly key: string; readonly fork?: DraftSession['fork'] };

/**
 * Tells to which branch of pi's tree a record belongs. The first way from the root is the session's own; a record that
 * leaves a way behind which it has gone on already begins a branch. Memory: about 200 bytes a record.
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

  /** To be called for every record, in their order: those without an id, as in lists, go on where the last one ended. */
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

  /** Says that a record is a message, or a compaction, of its branch's session. */
  settle(record: JsonObject, kind: 'message' | 'compaction'): void {
    const id = stringIn(record, 'id');
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (id !== undefined && node) node.behind = { key: node.branch, what: { kind, id } };
  }

  #branch(key: string): Branch {
    const fork = this.#forks.get(key);
    return { key, ...(fork && { fork }) };
  }

  /** A record whose parent is lost, with the line that it stood on, goes on where the last one ended. */
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
