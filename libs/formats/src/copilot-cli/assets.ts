import { type Block, blockFrom } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { stringIn } from '../drafts/members.js';

/** Maximum characters of cached images and documents, besides the newest: the log has each just before its use. */
const HELD_MAX = 8 * 1024 * 1024;

/**
 * Images and documents in events of their own (`session.binary_asset`), by the id that messages and results refer to.
 */
export class Assets {
  readonly #held = new Map<string, { readonly data: string; readonly mimeType: string | undefined }>();
  #size = 0;

  add(asset: JsonObject): void {
    const id = stringIn(asset, 'assetId');
    const data = stringIn(asset, 'data');
    if (id === undefined || data === undefined || this.#held.has(id)) return;
    this.#held.set(id, { data, mimeType: stringIn(asset, 'mimeType') });
    this.#size += data.length;
    for (const [oldest, { data: dropped }] of this.#held) {
      if (this.#size <= HELD_MAX || oldest === id) return;
      this.#held.delete(oldest);
      this.#size -= dropped.length;
    }
  }

  /** An image or a document by its bytes, or by the asset that has them; `undefined` where neither is there. */
  blockOf(part: JsonObject): Block | undefined {
    const asset = this.#held.get(stringIn(part, 'assetId') ?? '');
    const data = stringIn(part, 'data') ?? stringIn(part, 'blob') ?? asset?.data;
    const mimeType = stringIn(part, 'mimeType') ?? asset?.mimeType;
    if (data === undefined || mimeType === undefined) return undefined;
    const type = mimeType.startsWith('image/') ? 'image' : 'document';
    return blockFrom({ type, source: { type: 'base64', media_type: mimeType, data } });
  }
}
