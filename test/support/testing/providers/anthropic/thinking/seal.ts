import { isJsonObject, type JsonObject, parseJsonObject } from '@app/kernel';
import { digestOf, sealOf } from '../../values/digest.js';
import { textOr } from '../../values/wire-values.js';
import { isThinking, type Segment } from '../prompt/segments.js';

/** The content of a signature: the block's writer and prefix. */
export type Binding = {
  readonly model: string;
  /** Digest of everything before the block except thinking. */
  readonly prefix: string;
  /** Digest of the thinking before it, empty without any. */
  readonly previous: string;
};

/** Returns the binding of a thinking block written at this position. */
export const placeOf = (before: readonly Segment[], model: string): Binding => {
  const walk = new PrefixWalk();
  for (const segment of before) walk.pass(segment);
  return walk.here(model);
};

/**
 * Walks a prompt and tracks the prefix at each position, thinking separately. A compaction block represents what it
 * covers: a signed one names that, so that thinking after it stays readable.
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

/** Returns a signed statement: its payload in clear, and the signature over it and `texts`. */
export const stateOn = (secret: string, payload: JsonObject, ...texts: readonly string[]): string => {
  const clear = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${clear}.${sealOf(secret, clear, ...texts)}`;
};

/** Returns the payload of a statement without verifying its signature. */
export const payloadIn = (statement: unknown): JsonObject | undefined => {
  const [clear = ''] = textOr(statement, '').split('.');
  return parseJsonObject(Buffer.from(clear, 'base64url').toString());
};

/** Whether this server signed `statement` for these texts. */
export const isStated = (secret: string, statement: unknown, ...texts: readonly string[]): boolean => {
  const [clear = '', seal] = textOr(statement, '').split('.');
  return seal === sealOf(secret, clear, ...texts);
};

/** Signs a thinking block; hides the text of a redacted one. */
export const sealThinking = (secret: string, block: JsonObject, binding: Binding): JsonObject => {
  if (block.type === 'thinking')
    return { ...block, signature: stateOn(secret, binding, textOr(block.thinking, '')) };
  return { ...block, data: stateOn(secret, { ...binding, hidden: sealOf(secret, textOr(block.data, '')) }) };
};

/** Returns the binding of an unaltered block of this server; otherwise `undefined`. */
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
