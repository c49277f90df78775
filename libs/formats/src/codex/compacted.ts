import { isText } from '@app/domain';
import { canonicalJson, isJsonObject, type JsonObject } from '@app/kernel';
import type { DraftCompaction } from '../drafts/draft.js';
import { listIn, stringIn } from '../drafts/members.js';
import { type CodexItem, isOpaqueCompaction, itemOfCodex } from './item.js';

type Kept = Pick<CodexItem, 'role' | 'blocks'>;

/** Where a rollout does not tell what a compaction has kept: Codex keeps so much of what its user said last. */
const KEPT_CHARACTERS_MAX = 80_000;

/** What compactions of a rollout need of the messages before them. */
export class Compactions {
  readonly #head = new Set<string>();
  #isHead = true;
  #said: Kept[] = [];

  /** Takes note of a message: what the system says before anything else stays by itself, and is not kept again. */
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

/** The summary stands among what is kept as a message of the user's, behind a few words that introduce it. */
const summaryIn = (kept: readonly Kept[], message: string): Kept | undefined =>
  kept.findLast((one) => one.role === 'user' && wordsOf(one).endsWith(message));

const wordsOf = ({ blocks }: Kept): string =>
  blocks
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');

/** Without what a block keeps of the item that it was. */
const bare = ({ openai: _, ...block }: JsonObject): JsonObject => block;
