import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { spawnEventStore } from '@app/embedded-event-store';
import { NO_STREAM } from '@eventstore/db-client';
import { startOutside } from './support/child-program.js';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, counted, countedUp, numberOf } from './support/events.js';

describeEmbedded('event store killed during appends', () => {
  // Large events refill the journal's files, so that kills happen while their content is moved.
  it.each([
    ['small', 0, 5],
    ['large', 60_000, 3],
  ])('loses and duplicates no acknowledged %s event, and continues', async (_, size, rounds) => {
    const dataDir = await temporaryFolder();
    const padding = 'x'.repeat(size);
    const acknowledged = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const server = await spawnEventStore({ dataDir });
      const client = connect(server.url);
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        const stream = `round${round}-${writer}`;
        for (let n = 0; ; n += 1) {
          const expectedRevision = n === 0 ? NO_STREAM : BigInt(n - 1);
          const event = { ...counted(n), data: { n, padding } };
          await client.appendToStream(stream, event, { expectedRevision });
          acknowledged.set(stream, n);
          if (writer === 0 && n === 40 + round * 13) process.kill(server.pid, 'SIGKILL');
        }
      });
      await Promise.allSettled(writers);
      expect((await server.exited).signal).toBe('SIGKILL');
      await client.dispose();
      await verify(dataDir, acknowledged);
    }
    await rm(dataDir, { recursive: true });
  });

  const verify = async (dataDir: string, acknowledged: Map<string, number>): Promise<void> => {
    const server = await spawnEventStore({ dataDir });
    const client = connect(server.url);
    for (const [stream, last] of acknowledged) {
      const numbers = (await collect(client.readStream(stream))).map(numberOf);
      expect(numbers).toEqual(numbers.map((_, index) => index));
      // The append in flight may exist, with one event only: each writer waited for its answer.
      expect(numbers.length - 1 === last || numbers.length - 1 === last + 1).toBe(true);
      const next = await client.appendToStream(stream, counted(numbers.length), {
        expectedRevision: BigInt(numbers.length - 1),
      });
      expect(next.nextExpectedRevision).toBe(BigInt(numbers.length));
      acknowledged.set(stream, numbers.length);
    }
    const ofAll = (await collect(client.readAll())).filter(({ event }) => event?.type === 'Counted');
    const expected = [...acknowledged.values()].reduce((sum, last) => sum + last + 1, 0);
    expect(ofAll).toHaveLength(expected);
    await client.dispose();
    await server.stop();
  };
});

describeEmbedded('full disk', () => {
  it('fails the append and damages nothing', async () => {
    const dataDir = await temporaryFolder();
    // The shell counts in blocks of 512 (dash) or 1024 bytes: files are limited to 2 or 4 MiB.
    const { child, url } = await startOutside(dataDir, 'startEventStore', 'ulimit -f 4096');
    const client = connect(url);
    await client.appendToStream('early', countedUp(10));
    const data = { text: 'x'.repeat(200_000) };
    let written = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        const options = { expectedRevision: written === 0 ? NO_STREAM : BigInt(written - 1) } as const;
        await client.appendToStream(
          'filling',
          { ...counted(written), data: { n: written, ...data } },
          options,
        );
        written += 1;
      }
    };
    await expect(fill()).rejects.toThrow(/disk full/);
    await expect(
      client.appendToStream('filling', { ...counted(0), data: { n: 0, ...data } }),
    ).rejects.toThrow(/disk full/);

    expect((await collect(client.readStream('early'))).map(numberOf)).toHaveLength(10);
    expect((await collect(client.readStream('filling'))).map(numberOf)).toHaveLength(written);
    await client.dispose();
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await spawnEventStore({ dataDir });
    const later = connect(server.url);
    expect(await collect(later.readStream('filling'))).toHaveLength(written);
    await later.appendToStream('filling', counted(written), { expectedRevision: BigInt(written - 1) });
    await later.dispose();
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
});
