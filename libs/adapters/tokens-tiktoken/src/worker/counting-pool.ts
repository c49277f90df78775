import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { findInstalled } from '@app/ports';
import type { CountOrder } from './main.js';

/** Threads at most: counting is to leave a core to the event loop. */
const THREADS_MAX = 4;

type Task = {
  readonly text: string;
  readonly resolve: (tokens: number) => void;
  readonly reject: (why: Error) => void;
};
type Thread = { readonly worker: Worker; readonly task: Task };

/**
 * Counts texts in threads, one text per thread. Tenants alternate text by text: a tenant with a hundred large texts
 * delays another by a single text per thread. Threads are started on demand, and do not keep an idle process alive.
 */
export class CountingPool {
  private readonly waiting = new Map<string, Task[]>();
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Thread>();
  /** The bundled program; `undefined` before it is built. */
  private readonly program = findInstalled('dist/programs/count-worker.js');

  constructor(private readonly threadsMax = Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1))) {}

  /** Returns the tokens of a text. Rejects if no thread is available or it ends: the caller then counts itself. */
  count(text: string, tenant: string): Promise<number> {
    if (this.program === undefined) return Promise.reject(new Error('the counting program is not built'));
    return new Promise((resolve, reject) => {
      this.waiting.set(tenant, [...(this.waiting.get(tenant) ?? []), { text, resolve, reject }]);
      this.handOut();
    });
  }

  /** Lets all threads drop the words that they have counted. */
  forget(): void {
    for (const worker of [...this.idle, ...this.busy.keys()]) worker.postMessage({} satisfies CountOrder);
  }

  private handOut(): void {
    while (this.waiting.size > 0) {
      const worker = this.idle.pop() ?? this.start();
      if (!worker) return;
      const task = this.next();
      if (!task) return void this.idle.push(worker);
      this.busy.set(worker, { worker, task });
      worker.ref();
      worker.postMessage({ text: task.text } satisfies CountOrder);
    }
  }

  /** Returns the first task of the next tenant, and moves the tenant to the end. */
  private next(): Task | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [tenant, [task, ...rest]] = first;
    this.waiting.delete(tenant);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    return task;
  }

  private start(): Worker | undefined {
    if (this.program === undefined || this.busy.size + this.idle.length >= this.threadsMax) return undefined;
    const worker = new Worker(this.program);
    worker.unref();
    worker.on('message', (tokens: number) => {
      const thread = this.busy.get(worker);
      this.busy.delete(worker);
      worker.unref();
      this.idle.push(worker);
      thread?.task.resolve(tokens);
      this.handOut();
    });
    worker.on('error', (why) => this.end(worker, why));
    worker.on('exit', () => this.end(worker, new Error('a counting thread has ended')));
    return worker;
  }

  /** Its task is given back to the caller, and the next one gets a new thread. */
  private end(worker: Worker, why: Error): void {
    const thread = this.busy.get(worker);
    this.busy.delete(worker);
    const place = this.idle.indexOf(worker);
    if (place >= 0) this.idle.splice(place, 1);
    thread?.task.reject(why);
    this.handOut();
  }
}
