import type { JsonObject } from '@app/kernel';
import type { DraftSession } from '../drafts/draft.js';
import { stringIn } from '../drafts/members.js';
import { projectIn } from '../drafts/project.js';
import { Rewinds } from './rewinds.js';

const MAIN = 'main';

/** Assigns each record of a file to a conversation: the session, one of its branches, or a side chain. */
export class Chains {
  /** The file's session: that of the first record which names one; a resumed file has others further on. */
  #sessionId: string | undefined;
  /** The working folder that the session began in. */
  #folder: string | undefined;
  /** Side chain of each record that belongs to one, by the record's uuid. */
  readonly #chainOf = new Map<string, string>();
  readonly #roots = new Set<string>();
  readonly #rewinds = new Rewinds(MAIN);

  sessionOf(record: JsonObject): DraftSession {
    this.#sessionId ??= stringIn(record, 'sessionId');
    this.#folder ??= stringIn(record, 'cwd');
    const own = {
      ...(this.#sessionId !== undefined && { ownId: this.#sessionId }),
      ...projectIn({ folder: this.#folder }),
    };
    if (!isOfSideChain(record)) return { ...this.#rewinds.branchOf(record), ...own };

    const name = this.#nameOf(record);
    return { key: `${MAIN}.${name}`, ...own, chain: { name, parentKey: this.#rewinds.newest } };
  }

  #nameOf(record: JsonObject): string {
    const uuid = stringIn(record, 'uuid');
    const parent = stringIn(record, 'parentUuid');
    const name =
      stringIn(record, 'agentId') ??
      this.#chainOf.get(uuid ?? '') ??
      this.#chainOf.get(parent ?? '') ??
      this.#rootName(uuid ?? parent);
    if (uuid !== undefined) this.#chainOf.set(uuid, name);
    return name;
  }

  /** The first group of the root's uuid; all of it where another root begins alike. */
  #rootName(uuid = 'unnamed'): string {
    const short = uuid.slice(0, 8);
    const name = this.#roots.has(short) ? uuid : short;
    this.#roots.add(name);
    return name;
  }
}

/** A replaced record in a side chain only identifies the chain. */
const isOfSideChain = (record: JsonObject): boolean =>
  record.isSidechain === true ||
  (record.type === 'content-replacement' && stringIn(record, 'agentId') !== undefined);
