import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import fc from 'fast-check';
import type { Engine, Entry, Put, Scan, Table } from '../engine.js';
import { LogMark, MARK_FILE } from '../integrity/log-mark.js';
import { openJournaled } from './journaled-engine.js';

/** What a store must do, done in the simplest way. */
class MemoryEngine implements Engine {
  readonly #tables = new Map<Table, Map<string, Buffer>>();
  /** Commits fail while it is set. */
  fault: AppError | undefined;

  get(table: Table, key: Buffer): Buffer | undefined {
    return this.#table(table).get(key.toString('latin1'));
  }
  scan(table: Table, { from, until, backwards, limit, bytesMax = Number.POSITIVE_INFINITY }: Scan): Entry[] {
    const sign = backwards ? -1 : 1;
    let bytes = 0;
    return [...this.#table(table)]
      .map(([key, value]) => ({ key: Buffer.from(key, 'latin1'), value }))
      .filter(({ key }) => key.compare(from) * sign >= 0 && (!until || key.compare(until) * sign < 0))
      .sort((a, b) => a.key.compare(b.key) * sign)
      .slice(0, limit)
      .filter(({ value }) => {
        const fits = bytes < bytesMax;
        bytes += value.length;
        return fits;
      });
  }
  async commit(puts: readonly Put[]): Promise<void> {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    for (const { table, key, value } of puts)
      if (value) this.#table(table).set(key.toString('latin1'), value);
      else this.#table(table).delete(key.toString('latin1'));
  }
  async close(): Promise<void> {}

  #table(name: Table): Map<string, Buffer> {
    const table = this.#tables.get(name) ?? new Map<string, Buffer>();
    this.#tables.set(name, table);
    return table;
  }
}

/** So small that the files change places all the time. */
const TINY = { fileBytes: 400, fileBytesMax: 1_200 };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (key: string, value: string): Put => ({
  table: 'log',
  key: Buffer.from(key),
  value: Buffer.from(value),
});
const contentOf = (engine: Engine): string =>
  engine
    .scan('log', { from: Buffer.from(' '), limit: 1_000 })
    .map(({ key, value }) => `${key}=${value}`)
    .join(' ');

/** Guarantee: with the journal before it, a store answers like itself, before a crash and after. */
describe('a store behind a journal', () => {
  const key = fc.integer({ min: 0, max: 30 }).map((n) => Buffer.from([0, n]));
  const puts = fc.array(
    fc.record(
      {
        table: fc.constantFrom('log' as const, 'heads' as const),
        key,
        value: fc.uint8Array({ maxLength: 60 }),
      },
      { requiredKeys: ['table', 'key'] },
    ),
    { maxLength: 6 },
  );
  const scan = fc.record(
    {
      from: key,
      until: key,
      backwards: fc.boolean(),
      limit: fc.integer({ min: 1, max: 9 }),
      bytesMax: fc.nat(99),
    },
    { requiredKeys: ['from', 'limit'] },
  );
  const step = fc.oneof(
    fc.record({ puts }),
    fc.record({ scan, key }),
    fc.record({ crash: fc.constant(true), closed: fc.boolean() }),
  );

  it('holds what was committed to it, in every order of commits, reads and crashes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        rmSync(folder, { recursive: true });
        folder = mkdtempSync(join(tmpdir(), 'journal-'));
        const model = new MemoryEngine();
        const behind = new MemoryEngine();
        let mark = LogMark.open(folder);
        let engine = openJournaled(folder, behind, mark, TINY);
        for (const one of steps) {
          if ('puts' in one) {
            const changes = one.puts.map(({ value, ...rest }) =>
              value ? { ...rest, value: Buffer.concat([Buffer.from('v'), value]) } : rest,
            );
            await model.commit(changes);
            await engine.commit(changes);
          } else if ('scan' in one) {
            for (const table of ['log', 'heads'] as const) {
              expect(engine.get(table, one.key)).toEqual(model.get(table, one.key));
              expect(engine.scan(table, one.scan)).toEqual(model.scan(table, one.scan));
            }
          } else {
            if (one.closed) await engine.close();
            mark.close(); // The engine that is left behind goes on moving, but no process is there to say so.
            mark = LogMark.open(folder);
            engine = openJournaled(folder, behind, mark, TINY);
          }
        }
        await engine.close();
        const all = { from: Buffer.from([0]), limit: 100 };
        expect(behind.scan('log', all)).toEqual(model.scan('log', all));
      }),
      { numRuns: 200 },
    ));

  it('scans on behind an entry that is hidden and fills a page by itself', async () => {
    const behind = new MemoryEngine();
    const [first, second] = [Buffer.from('a'), Buffer.from('b')];
    const value = Buffer.alloc(50);
    await behind.commit([first, second].map((key) => ({ table: 'heads', key, value })));
    const engine = openJournaled(folder, behind, LogMark.open(folder), TINY);
    await engine.commit([{ table: 'heads', key: first }]);
    expect(engine.scan('heads', { from: first, limit: 1, bytesMax: 9 })).toEqual([{ key: second, value }]);
    await engine.close();
  });
});

describe('after a crash', () => {
  const file = () => join(folder, 'journal-0');
  const damage = (text: string): void => {
    const bytes = readFileSync(file());
    bytes.write('#', bytes.indexOf(text));
    writeFileSync(file(), bytes);
  };
  const writtenAs = async (...values: readonly string[]): Promise<void> => {
    const engine = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    for (const [at, value] of values.entries()) await engine.commit([put(`k${at}`, value)]);
  };

  it('has everything that was committed', async () => {
    await writtenAs('one', 'two', 'three');
    expect(contentOf(openJournaled(folder, new MemoryEngine(), LogMark.open(folder)))).toBe(
      'k0=one k1=two k2=three',
    );
  });

  it('leaves out a commit that was not written to its end, and goes on', async () => {
    const engineBefore = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    for (const [at, value] of ['one', 'two'].entries()) await engineBefore.commit([put(`k${at}`, value)]);
    const acknowledged = readFileSync(join(folder, MARK_FILE));
    await engineBefore.commit([put('k2', 'torn')]);
    writeFileSync(join(folder, MARK_FILE), acknowledged);
    damage('torn');
    const engine = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    await engine.commit([put('k9', 'next')]);
    expect(contentOf(engine)).toBe('k0=one k1=two k9=next');
  });

  it('refuses a journal that is damaged before its end', async () => {
    await writtenAs('one', 'rotten', 'three');
    damage('rotten');
    expect(() => openJournaled(folder, new MemoryEngine(), LogMark.open(folder))).toThrow(
      expect.objectContaining({ code: 'data-folder-damaged' }),
    );
  });

  it('refuses a journal whose last commit is damaged although it was acknowledged', async () => {
    await writtenAs('one', 'two', 'rotten');
    damage('rotten');
    expect(() => openJournaled(folder, new MemoryEngine(), LogMark.open(folder))).toThrow(
      expect.objectContaining({ code: 'data-folder-damaged' }),
    );
  });
});

describe('where the store behind has no room', () => {
  it('takes commits up to a limit, refuses more, and goes on when there is room', async () => {
    const behind = new MemoryEngine();
    const engine = openJournaled(folder, behind, LogMark.open(folder), TINY);
    behind.fault = new AppError('disk-full', 'disk full');
    const accepted: string[] = [];
    const fill = async (): Promise<void> => {
      for (let n = 10; ; n += 1) {
        await engine.commit([put(`k${n}`, 'x'.repeat(40))]);
        accepted.push(`k${n}=${'x'.repeat(40)}`);
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'disk-full' });
    expect(accepted.length).toBeGreaterThan(10);
    expect(contentOf(engine)).toBe(accepted.join(' '));

    behind.fault = undefined;
    await engine.commit([put('k99', 'last')]);
    expect(contentOf(engine)).toBe([...accepted, 'k99=last'].join(' '));
    await engine.close();
    expect(contentOf(behind)).toBe([...accepted, 'k99=last'].join(' '));
  });
});
