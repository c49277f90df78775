import { type Block, isToolResult } from '@app/domain';
import type { Json, JsonObject } from '@app/kernel';
import { digestOf } from '../drafts/ids.js';
import { objectIn, stringIn } from '../drafts/members.js';
import { IdTable } from '../drafts/met/id-table.js';
import { outlineOf } from '../drafts/outline.js';

/**
 * What has been read already. Files that were resumed, and responses that were written while they streamed,
 * hold records and blocks twice. Memory: some 30 bytes a record and a block.
 */
export class Seen {
  readonly #uuids = new IdTable();
  readonly #blocks = new IdTable();

  /** Whether the very record has been read before; from now on it has. */
  isRepeated(record: JsonObject): boolean {
    const uuid = stringIn(record, 'uuid');
    return (
      uuid !== undefined && !this.#uuids.add(`${uuid} ${String(record.type)} ${outlineOf(contentOf(record))}`)
    );
  }

  /** The blocks of a response that it has not held before. */
  newOfResponse(key: string, responseId: string | undefined, blocks: readonly Block[]): readonly Block[] {
    if (responseId === undefined) return blocks;
    return blocks.filter((block) => this.#isNew(`${key} ${responseId}`, block));
  }

  /** What the user said, without the tool results that have been given before. Words may well be repeated. */
  newOfUser(key: string, blocks: readonly Block[]): readonly Block[] {
    return blocks.filter((block) => !isToolResult(block) || this.#isNew(key, block));
  }

  #isNew(scope: string, block: Block): boolean {
    return this.#blocks.add(digestOf(`${scope} ${JSON.stringify(block)}`, 32));
  }
}

const contentOf = (record: JsonObject): Json | undefined => objectIn(record, 'message')?.content;
