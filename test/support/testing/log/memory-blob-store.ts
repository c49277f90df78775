import { createHash } from 'node:crypto';
import { AppError } from '@app/kernel';
import type { BlobReference, BlobStore } from '@app/ports';

/** An in-memory blob store. */
export class MemoryBlobStore implements BlobStore {
  readonly contents = new Map<string, Uint8Array>();

  async put(content: Uint8Array, mediaType: string): Promise<BlobReference> {
    const digest = createHash('sha256').update(content).digest('hex');
    this.contents.set(digest, Uint8Array.from(content));
    return { digest, size: content.length, mediaType };
  }

  async get(digest: string): Promise<Uint8Array> {
    const content = this.contents.get(digest);
    if (!content) throw new AppError('corrupt-event', `no content has the digest ${digest}`);
    return content;
  }
}
