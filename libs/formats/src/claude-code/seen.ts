import { type Block, isToolResult } from '@app/domain';
import type { Json, JsonObject } from '@app/kernel';
import { IdTable } from '../drafts/id-index/id-table.js';
import { digestOf } from '../drafts/ids.js';
import { objectIn, stringIn } from '../drafts/members.js';
import { outlineOf } from '../drafts/outline.js';

/**
 * The records and blocks read so far. Resumed files, and responses written during streaming, contain records and
 * blocks twice. Memory: some 30 bytes per record and block.
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

  /** Returns the blocks of a user message without tool results read before. Repeated text is kept. */
  newOfUser(key: string, blocks: readonly Block[]): readonly Block[] {
    return blocks.filter((block) => !isToolResult(block) || this.#isNew(key, block));
  }

  #isNew(scope: string, block: Block): boolean {
    return this.#blocks.add(digestOf(`${scope} ${JSON.stringify(block)}`, 32));
  }
}

const contentOf = (record: JsonObject): Json | undefined => objectIn(record, 'message')?.content;
