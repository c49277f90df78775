import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { TranscriptPruning } from '../transcript.js';

/**
 * Outputs that OpenCode cleared later. Each has the time of clearing in milliseconds: the model no longer saw it from
 * the next message on.
 */
export class Cleared {
  #open: { readonly callId: string; readonly at: number }[] = [];

  /** Stores the cleared outputs of a message. */
  note(parts: readonly Json[]): void {
    for (const part of parts) {
      if (!isJsonObject(part) || part.type !== 'tool') continue;
      const callId = stringIn(part, 'callID');
      const at = objectIn(objectIn(part, 'state') ?? {}, 'time')?.compacted;
      if (callId !== undefined && typeof at === 'number') this.#open.push({ callId, at });
    }
  }

  /** Yields the outputs cleared before a message was created, or all without one. */
  *before(info?: JsonObject): Generator<TranscriptPruning> {
    const created = info && objectIn(info, 'time')?.created;
    if (info && typeof created !== 'number') return;
    const until = typeof created === 'number' ? created : Number.POSITIVE_INFINITY;
    const due = this.#open.filter(({ at }) => at <= until);
    this.#open = this.#open.filter(({ at }) => at > until);
    for (const at of [...new Set(due.map((one) => one.at))].sort((a, b) => a - b)) {
      const createdAt = timeFrom(at);
      const callIds = due.filter((one) => one.at === at).map(({ callId }) => callId);
      yield { callIds, ...(createdAt !== undefined && { createdAt }) };
    }
  }
}
