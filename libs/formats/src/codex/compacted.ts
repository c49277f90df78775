import { isText } from '@app/domain';
import { canonicalJson, isJsonObject, type JsonObject } from '@app/kernel';
import type { DraftCompaction } from '../drafts/draft.js';
import { listIn, stringIn } from '../drafts/members.js';
import { type CodexItem, isOpaqueCompaction, itemOfCodex } from './item.js';

type Kept = Pick<CodexItem, 'role' | 'blocks'>;

/** Characters of the newest user messages that Codex keeps, if a rollout does not list the kept items. */
const KEPT_CHARACTERS_MAX = 80_000;

/** The messages before a compaction, for its kept items. */
export class Compactions {
  readonly #head = new Set<string>();
  #isHead = true;
  #said: Kept[] = [];

  /** Stores a message; leading system messages are separate and not kept again. */
  note({ role, blocks }: CodexItem): void {
    this.#isHead &&= role === 'system';
    if (this.#isHead) this.#head.add(canonicalJson(blocks.map(bare)));
    if (role !== 'user' || blocks.some(({ type }) => type === 'tool_result')) return;
    this.#said.push({ role, blocks });
    let room = KEPT_CHARACTERS_MAX;
    const first = this.#said.findLastIndex((one) => {
      room -= JSON.stringify(one.blocks).length;
      return room < 0;
    });
    this.#said = this.#said.slice(first + 1);
  }

  /** A `compacted` record's payload. */
  compactionOf(
    payload: JsonObject,
    provider: string,
  ): Pick<DraftCompaction, 'summary' | 'retained' | 'opaque'> {
    const history = listIn(payload, 'replacement_history')?.filter(isJsonObject);
    const message = stringIn(payload, 'message');
    const opaque = history?.filter(isOpaqueCompaction) ?? [];
    const kept = history
      ? history.filter((item) => !isOpaqueCompaction(item)).flatMap((item) => this.#keptFrom(item))
      : this.#said;
    const summary = message === undefined ? undefined : summaryIn(kept, message);
    const messages = kept.filter((one) => one !== summary);
    const text = summary ? wordsOf(summary) : message;
    return {
      ...(text !== undefined && { summary: text }),
      retained: messages.length > 0 ? { kind: 'listed', messages } : { kind: 'none' },
      ...(opaque.length > 0 && { opaque: { provider, items: opaque } }),
    };
  }

  #keptFrom(item: JsonObject): readonly Kept[] {
    const read = itemOfCodex(item);
    if (!read || read.blocks.length === 0) return [];
    if (read.role === 'system' && this.#head.has(canonicalJson(read.blocks.map(bare)))) return [];
    return [{ role: read.role, blocks: read.blocks }];
  }
}

/** Returns the summary among the kept items: a user message with a known introduction. */
const summaryIn = (kept: readonly Kept[], message: string): Kept | undefined =>
  kept.findLast((one) => one.role === 'user' && wordsOf(one).endsWith(message));

const wordsOf = ({ blocks }: Kept): string =>
  blocks
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');

/** Returns a block without its original item. */
const bare = ({ openai: _, ...block }: JsonObject): JsonObject => block;
