import type { EventLog } from '../log/event-log.js';
import type { Engine } from '../storage/engine.js';

export class Groups {
  constructor(
    readonly log: EventLog,
    readonly engine: Engine,
  ) {}
  async close(): Promise<void> {}
}
