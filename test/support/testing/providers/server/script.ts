import { answer, type Reply } from '../replies/reply.js';
import type { RecordedRequest } from './recorded-request.js';

/** What a server answers: replies one by one, or whatever a function makes of each request. */
export type Script = readonly Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>);

/** The replies still to come. Without a script the model says "ok" each time. */
export class Replies {
  private added: Reply[] = [];
  private readonly queue: Reply[];
  private readonly otherwise: Exclude<Script, readonly Reply[]> | undefined;

  constructor(script: Script | undefined) {
    this.queue = typeof script === 'object' ? [...script] : [];
    this.otherwise =
      script === undefined ? () => answer('ok') : typeof script === 'function' ? script : undefined;
  }

  /** These come first, in this order, whatever the script is. */
  add(replies: readonly Reply[]): void {
    this.added.push(...replies);
  }

  /** Drops what was added and not used. */
  forget(): void {
    this.added = [];
  }

  /** `undefined` where the script is at its end. */
  async next(request: RecordedRequest): Promise<Reply | undefined> {
    return this.added.shift() ?? this.queue.shift() ?? this.otherwise?.(request);
  }
}
