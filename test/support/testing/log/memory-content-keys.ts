import { randomBytes } from 'node:crypto';
import type { ContentKey, ContentKeys } from '@app/ports';

/** Keys of content in memory. */
export class MemoryContentKeys implements ContentKeys {
  readonly keys = new Map<string, ContentKey>();
  private readonly streams = new Map<string, ContentKey>();

  async toSeal(stream: string): Promise<ContentKey> {
    const known = this.streams.get(stream);
    if (known) return known;
    const key = { id: randomBytes(12).toString('base64url'), bytes: randomBytes(32) };
    this.streams.set(stream, key);
    this.keys.set(key.id, key);
    return key;
  }

  async toOpen(id: string): Promise<ContentKey | undefined> {
    return this.keys.get(id);
  }
}
