import type { CompactionId } from '@app/kernel';
import { isUnderWay } from '../sessions/await-outcome.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { SessionStore } from '../sessions/session-store.js';

type Run = { readonly ref: SessionRef; readonly compactionId: CompactionId; readonly done: Promise<void> };

/** Compactions that this process is running, until their requests are acknowledged. */
export class ActiveRuns {
  private readonly runs = new Set<Run>();

  /** @param done resolves when the hooks have been notified and the request is acknowledged. */
  add(ref: SessionRef, compactionId: CompactionId, done: Promise<void>): void {
    const run = { ref, compactionId, done };
    this.runs.add(run);
    done.finally(() => this.runs.delete(run)).catch(() => undefined);
  }

  /** Waits for runs whose compaction has ended, so that their hooks are notified before the process continues. */
  async settled(sessions: SessionStore): Promise<void> {
    await Promise.all(
      [...this.runs].map(async ({ ref, compactionId, done }) => {
        if (!(await isUnderWay(sessions, ref, compactionId))) await done;
      }),
    );
  }
}
