import { createHmac, randomBytes } from 'node:crypto';
import type { Erased } from '@app/domain';
import type { SubjectRef } from '@app/kernel';
import type { ContentKey, ContentKeys, ErasedKey, KeyedDigests } from '@app/ports';

/** Digests with a key that all processes have. */
export const memoryDigests: KeyedDigests = {
  digester: async (tenant, purpose) => (text) =>
    createHmac('sha256', `${tenant} ${purpose}`).update(text).digest('hex'),
  recording: (work) => work(),
};

/** Keys of content in memory. */
export class MemoryContentKeys implements ContentKeys {
  readonly keys = new Map<string, ContentKey | ErasedKey>();
  private readonly inUse = new Map<string, ContentKey>();

  async toSeal(stream: string, subjects: readonly SubjectRef[]): Promise<readonly ContentKey[]> {
    return ['', ...subjects].map((subject) => this.keyFor(`${stream} ${subject}`));
  }

  async toOpen(id: string): Promise<ContentKey | ErasedKey | undefined> {
    return this.keys.get(id);
  }

  /** Destroys the key of a session, or that of one of its subjects. */
  erase(stream: string, erased: Erased, subject = ''): void {
    const key = this.inUse.get(`${stream} ${subject}`);
    if (key) this.keys.set(key.id, { id: key.id, erased });
    this.inUse.delete(`${stream} ${subject}`);
  }

  private keyFor(name: string): ContentKey {
    const known = this.inUse.get(name);
    if (known) return known;
    const key = { id: randomBytes(12).toString('base64url'), bytes: randomBytes(32) };
    this.inUse.set(name, key);
    this.keys.set(key.id, key);
    return key;
  }
}
