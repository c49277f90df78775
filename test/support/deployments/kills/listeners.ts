import { createServer } from 'node:http';
import type { PalimpsestClient } from '@app/client';

/** The revisions of each session that a listener received, in order of arrival. */
export type Heard = {
  /** Resolves with the revisions once there are so many. */
  of(session: string, count: number): Promise<readonly number[]>;
  stop(): void;
};

/** Collects revisions by session. */
class Hearing {
  private readonly revisions = new Map<string, number[]>();
  private wake: (() => void)[] = [];

  hear(session: string, revision: number): void {
    const known = this.revisions.get(session) ?? [];
    known.push(revision);
    this.revisions.set(session, known);
    for (const wake of this.wake.splice(0)) wake();
  }

  knows(session: string, revision: number): boolean {
    return this.revisions.get(session)?.includes(revision) ?? false;
  }

  async of(session: string, count: number): Promise<readonly number[]> {
    for (;;) {
      const known = this.revisions.get(session) ?? [];
      if (known.length >= count) return known;
      await new Promise<void>((resolve) => {
        this.wake.push(resolve);
      });
    }
  }
}

/** Reads a tenant's stream from its start, over several connections if needed. */
export const readStream = (client: PalimpsestClient): Heard => {
  const hearing = new Hearing();
  const leave = new AbortController();
  const reading = (async () => {
    const events = client.stream({ from: 'start', content: 'none' }, { signal: leave.signal });
    for await (const { session, revision } of events) hearing.hear(session, revision);
  })();
  const ended = reading.catch((error: unknown) => {
    if (!leave.signal.aborted) throw error;
  });
  ended.catch(() => {}); // Callers of `heard` get the rejection.
  return {
    of: (session, count) =>
      Promise.race([
        hearing.of(session, count),
        ended.then(() => Promise.reject(new Error('the stream has ended'))),
      ]),
    stop: () => leave.abort(),
  };
};

/** Receives a tenant's webhook. A delivery that is repeated after a failure counts once. */
export const receiveWebhook = async (client: PalimpsestClient): Promise<Heard> => {
  const hearing = new Hearing();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data }: { data: { session: string; revision: number } } = JSON.parse(
        Buffer.concat(chunks).toString(),
      );
      if (!hearing.knows(data.session, data.revision)) hearing.hear(data.session, data.revision);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await client.webhooks.register({ url: `http://127.0.0.1:${port}/` });
  return {
    of: (session, count) => hearing.of(session, count),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
