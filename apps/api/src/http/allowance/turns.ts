import type { ServerResponse } from 'node:http';
import type { TenantId } from '@app/kernel';

/** Requests of a tenant that a process handles at once; further ones wait for their turn, before their body is read. */
const AT_ONCE = 64;
/** Milliseconds after which a long request, such as a stream, no longer counts. */
const COUNTED_MS = 250;

type Line = { running: number; readonly waiting: Set<() => void> };

/** Begins the requests of each tenant in turn, so that a burst of one tenant does not delay the others. */
export class Turns {
  private readonly lines = new Map<TenantId, Line>();

  /** Resolves when the request may begin. The next begins when it has been answered, or after {@link COUNTED_MS}. */
  async begin(tenant: TenantId, response: ServerResponse): Promise<void> {
    const line = this.lines.get(tenant) ?? { running: 0, waiting: new Set() };
    this.lines.set(tenant, line);
    if (line.running < AT_ONCE) line.running += 1;
    else await new Promise<void>((resolve) => line.waiting.add(resolve));
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      clearTimeout(late);
      this.next(tenant, line);
    };
    const late = setTimeout(end, COUNTED_MS);
    response.once('finish', end).once('close', end);
    if (response.destroyed) end();
  }

  /** Gives the place of a request to the one that has waited longest. */
  private next(tenant: TenantId, line: Line): void {
    const [begin] = line.waiting;
    if (begin) {
      line.waiting.delete(begin);
      begin();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(tenant);
  }
}
