import { isJsonObject, type JsonObject, parseJsonObject } from '@app/kernel';
import { digestOf, sealOf } from '../../values/digest.js';
import { textOr } from '../../values/wire-values.js';
import { isThinking, type Segment } from '../prompt/segments.js';

/** What a signature says about its block: who wrote it, and behind what. */
export type Binding = {
  readonly model: string;
  /** Digest of everything before the block but thinking. */
  readonly prefix: string;
  /** Digest of the thinking before it, empty where there was none. */
  readonly previous: string;
};

/** Where a thinking block stands: what it is bound to if it is written there. */
export const placeOf = (before: readonly Segment[], model: string): Binding => {
  const walk = new PrefixWalk();
  for (const segment of before) walk.pass(segment);
  return walk.here(model);
};

/**
 * Goes through a prompt and knows at each place what stands before it, thinking apart from all else. A compaction
 * block stands for what it covers: a signed one says for what, so that thinking kept from behind that stays readable.
 */
export class PrefixWalk {
  private head = digestOf('');
  private prefix = this.head;
  private previous: Segment | undefined;

  here(model: string): Binding {
    const previous = this.previous === undefined ? '' : digestOf(this.previous.text);
    return { model, prefix: this.prefix, previous };
  }

  pass(segment: Segment): void {
    if (isThinking(segment)) {
      this.previous = segment;
      return;
    }
    const { place, role, text, block } = segment;
    const isCompaction = block.type === 'compaction';
    const covered = isCompaction ? coveredBy(block) : undefined;
    this.prefix = covered ?? digestOf(isCompaction ? this.head : this.prefix, place, role, text);
    if (place !== 'messages') this.head = this.prefix;
  }
}

const coveredBy = (block: JsonObject): string | undefined => {
  const { covered } = payloadIn(block.signature) ?? {};
  return typeof covered === 'string' ? covered : undefined;
};

/** A statement that only this server can make: its payload in the clear, and the seal over it and `texts`. */
export const stateOn = (secret: string, payload: JsonObject, ...texts: readonly string[]): string => {
  const clear = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${clear}.${sealOf(secret, clear, ...texts)}`;
};

/** The payload of a statement, whether or not its seal holds. */
export const payloadIn = (statement: unknown): JsonObject | undefined => {
  const [clear = ''] = textOr(statement, '').split('.');
  return parseJsonObject(Buffer.from(clear, 'base64url').toString());
};

/** Whether this server has said `statement` of these texts. */
export const isStated = (secret: string, statement: unknown, ...texts: readonly string[]): boolean => {
  const [clear = '', seal] = textOr(statement, '').split('.');
  return seal === sealOf(secret, clear, ...texts);
};

/** A thinking block with its signature; a redacted one with its words put out of sight. */
export const sealThinking = (secret: string, block: JsonObject, binding: Binding): JsonObject => {
  if (block.type === 'thinking')
    return { ...block, signature: stateOn(secret, binding, textOr(block.thinking, '')) };
  return { ...block, data: stateOn(secret, { ...binding, hidden: sealOf(secret, textOr(block.data, '')) }) };
};

/** The binding of a block that this server wrote and nobody has altered; `undefined` where it is not so. */
export const bindingOf = (secret: string, block: JsonObject): Binding | undefined => {
  const isOurs =
    block.type === 'thinking'
      ? isStated(secret, block.signature, textOr(block.thinking, ''))
      : isStated(secret, block.data);
  const payload = isOurs ? payloadIn(block.type === 'thinking' ? block.signature : block.data) : undefined;
  if (!isJsonObject(payload)) return undefined;
  const { model, prefix, previous } = payload;
  return { model: textOr(model, ''), prefix: textOr(prefix, ''), previous: textOr(previous, '') };
};
