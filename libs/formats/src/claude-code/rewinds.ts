import { isJsonObject, type JsonObject } from '@app/kernel';
import type { DraftSession } from '../drafts/draft.js';
import { listIn, objectIn, stringIn } from '../drafts/members.js';

/** The position of a record: its branch, and its predecessor in that or another branch. */
type Place = {
  readonly key: string;
  readonly behind: Behind | undefined;
  readonly isBoundary: boolean;
};
type Behind = { readonly key: string; readonly kind: 'message' | 'compaction'; readonly id: string };

type Fork = NonNullable<DraftSession['fork']>;
export type Branch = { readonly key: string; readonly fork?: Fork };

/**
 * Assigns each record to a branch of its conversation. Records name their predecessor; most predecessors with several
 * followers are parallel calls of one response. Two user messages after the same message are a branch: the user
 * rewound and asked again. Memory: about 150 bytes per record.
 */
export class Rewinds {
  readonly #places = new Map<string, Place>();
  readonly #asked = new Set<string>();
  readonly #forks = new Map<string, Fork>();
  /** The first record of each response: the message that it becomes is called by that. */
  readonly #responses = new Map<string, string>();
  #newest: string;

  constructor(trunk: string) {
    this.#newest = trunk;
  }

  /** To be called for every record of the conversation, in their order. One that is lost leaves the branch as it is. */
  branchOf(record: JsonObject): Branch {
    const uuid = stringIn(record, 'uuid');
    const known = uuid === undefined ? undefined : this.#places.get(uuid);
    if (uuid === undefined || known) return this.#branch(known?.key ?? this.#newest);
    const parentId = stringIn(record, 'parentUuid') ?? stringIn(record, 'logicalParentUuid');
    const parent = parentId === undefined ? undefined : this.#places.get(parentId);
    const key = this.#keyFor(record, uuid, parent);
    const isBoundary = record.subtype === 'compact_boundary';
    this.#places.set(uuid, { key, behind: this.#behind(record, uuid, key, parentId, parent), isBoundary });
    this.#newest = key;
    return this.#branch(key);
  }

  /** The uuid of the newest record. */
  get newest(): string {
    return this.#newest;
  }

  #branch(key: string): Branch {
    const fork = this.#forks.get(key);
    return { key, ...(fork && { fork }) };
  }

  #keyFor(record: JsonObject, uuid: string, parent: Place | undefined): string {
    const key = parent?.key ?? this.#newest;
    const behind = parent?.behind;
    if (!behind || !isQuestion(record)) return key;
    const place = `${behind.kind} ${behind.id}`;
    if (!this.#asked.has(place)) {
      this.#asked.add(place);
      return key;
    }
    const { key: fromKey, kind, id } = behind;
    const branch = `${key} ${uuid}`;
    this.#forks.set(branch, { name: uuid.slice(0, 8), fromKey, behind: { kind, id } });
    return branch;
  }

  #behind(
    record: JsonObject,
    uuid: string,
    key: string,
    parentId: string | undefined,
    parent: Place | undefined,
  ): Behind | undefined {
    if (record.isCompactSummary === true) {
      const id = parent?.isBoundary && parentId !== undefined ? parentId : uuid;
      return { key, kind: 'compaction', id };
    }
    if (record.type === 'user') return { key, kind: 'message', id: uuid };
    if (record.type !== 'assistant') return parent?.behind;
    const response = stringIn(objectIn(record, 'message') ?? {}, 'id');
    const first = response === undefined ? uuid : (this.#responses.get(response) ?? uuid);
    if (response !== undefined && first === uuid) this.#responses.set(response, uuid);
    return { key, kind: 'message', id: first };
  }
}

/** Returns whether the record is user input, as opposed to results and harness text. */
const isQuestion = (record: JsonObject): boolean =>
  record.type === 'user' &&
  record.isMeta !== true &&
  record.isCompactSummary !== true &&
  !(listIn(objectIn(record, 'message') ?? {}, 'content') ?? []).some(
    (block) => isJsonObject(block) && block.type === 'tool_result',
  );
