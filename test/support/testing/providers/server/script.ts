import { answer, type Reply } from '../replies/reply.js';
import type { RecordedRequest } from './recorded-request.js';

/** A server's script: a list of replies, or a function of the request. */
export type Script = readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>);

/** The remaining replies. Without a script the model answers "ok" each time. */
export class Replies {
  private added: Reply[] = [];
  private readonly queue: Reply[];
  private readonly otherwise: Exclude<Script, readonly Reply[]> | undefined;

  constructor(script: Script | undefined) {
    this.queue = typeof script === 'object' ? [...script] : [];
    this.otherwise =
      script === undefined ? () => answer('ok') : typeof script === 'function' ? script : undefined;
  }

  /** Adds replies that precede the script, in this order. */
  add(replies: readonly Reply[]): void {
    this.added.push(...replies);
  }

  /** Drops added replies that were not used. */
  forget(): void {
    this.added = [];
  }

  /** Returns `undefined` at the end of the script. */
  async next(request: RecordedRequest): Promise<Reply | undefined> {
    return this.added.shift() ?? this.queue.shift() ?? this.otherwise?.(request);
  }
}
