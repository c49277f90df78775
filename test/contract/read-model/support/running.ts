import { openProjector, type ProjectorOptions } from '@app/adapters/read-model-postgres';
import type { LogPosition } from '@app/kernel';
import type { Projector } from '@app/ports';
import { memoryDigests } from '@app/testing';

/** A projector that runs until it is stopped. */
export class Running {
  readonly projector: Projector;
  readonly #stop = new AbortController();
  readonly #run: Promise<void>;

  constructor(options: Omit<ProjectorOptions, 'digests'>) {
    this.projector = openProjector({ digests: memoryDigests, ...options });
    this.#run = this.projector.run(this.#stop.signal);
    this.#run.catch(() => {}); // `stop` reports it.
  }

  reached(position: LogPosition | 'start'): Promise<void> {
    return this.projector.reached(position, this.#stop.signal);
  }

  /** Resolves when it ends by itself. */
  get ended(): Promise<void> {
    return this.#run;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#run;
  }
}

/** Projects up to the end of a log. */
export const project = async (
  database: ProjectorOptions['database'],
  subscriptions: ProjectorOptions['subscriptions'],
): Promise<void> => {
  const running = new Running({ database, subscriptions });
  await running.reached(await subscriptions.head());
  await running.stop();
};
