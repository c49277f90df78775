import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputLines } from './output-lines.js';
import { ServerLog } from './server-log.js';

const MIB = 1024 * 1024;

describe('server log', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const sizeOf = (name: string): number => statSync(join(dataDir, name)).size;

  it('keeps the newest output in two files of at most 2 MiB', () => {
    const log = new ServerLog(dataDir);
    for (let written = 0; written < 9; written += 1) log.write(Buffer.alloc(MIB, `${written}`));
    expect([sizeOf('server.log'), sizeOf('server.log.1')]).toEqual([MIB, 2 * MIB]);
    expect(readFileSync(join(dataDir, 'server.log'), 'latin1')[0]).toBe('8');
    expect(readFileSync(join(dataDir, 'server.log.1'), 'latin1')[0]).toBe('6');
  });

  it('appends to the log of the previous start', () => {
    new ServerLog(dataDir).write(Buffer.alloc(2 * MIB));
    new ServerLog(dataDir).write(Buffer.from('next'));
    expect([sizeOf('server.log'), sizeOf('server.log.1')]).toEqual([4, 2 * MIB]);
  });

  it('is readable only by its user', () => {
    new ServerLog(dataDir).write(Buffer.from('line'));
    expect(statSync(join(dataDir, 'server.log')).mode & 0o777).toBe(0o600);
  });

  it('ignores a write failure', () => {
    const log = new ServerLog(dataDir);
    rmSync(dataDir, { recursive: true });
    expect(() => log.write(Buffer.from('line'))).not.toThrow();
  });
});

describe('output lines', () => {
  it('joins chunks, even within a multi-byte character', () => {
    const seen: string[] = [];
    const lines = new OutputLines((line) => seen.push(line));
    const bytes = Buffer.from('grün\nblau\nro');
    for (const byte of bytes) lines.push(Buffer.of(byte));
    expect(seen).toEqual(['grün', 'blau']);
    expect(lines.newest()).toEqual(['grün', 'blau', 'ro']);
  });

  it('keeps the newest lines, truncated to a maximum length', () => {
    const lines = new OutputLines();
    for (let line = 0; line < 1_000; line += 1) lines.push(Buffer.from(`${line}${'x'.repeat(5_000)}\n`));
    const kept = lines.newest();
    expect(kept).toHaveLength(200);
    expect(kept.at(-1)).toMatch(/^999x/);
    expect(Math.max(...kept.map(({ length }) => length))).toBe(2_000);
  });
});
