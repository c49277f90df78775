import { describe, expect, it } from '@jest/globals';
import { Progress, progressLine } from './progress.js';

describe('a line of progress', () => {
  it('has percent, detail and the time that is left', () => {
    expect(progressLine('a.jsonl', { fraction: 0.25, detail: '1.5 MB/s' }, 60_000)).toBe(
      'a.jsonl: 25 %, 1.5 MB/s, 3 min 0 s left',
    );
    expect(progressLine('copying', { fraction: 0.01, detail: '90 events' }, 120_000)).toBe(
      'copying: 1 %, 90 events, 3 h 18 min left',
    );
  });

  it('names no time and no percent while the end is unknown', () => {
    expect(progressLine('comparing', { detail: '7 events' }, 5_000)).toBe('comparing: 7 events');
  });

  it.each([80, 40, 24])('cuts the label, not the facts, to fit %d columns', (width) => {
    const line = progressLine('x'.repeat(200), { fraction: 0.5 }, 10_000, width);
    expect(line.length).toBeLessThan(width);
    expect(line).toMatch(/…: 50 %, 10 s left$/);
  });
});

/** Output of a command that reports every second for a minute. */
const written = (isTerminal: boolean, intervalMs: number): readonly string[] => {
  const texts: string[] = [];
  let now = 0;
  const output = { isTerminal, width: 80, intervalMs, write: (text: string) => void texts.push(text) };
  const progress = new Progress('rebuild', false, () => now, output);
  for (let second = 1; second <= 60; second += 1) {
    now = second * 1_000;
    progress.update({ fraction: second / 60 });
  }
  progress.stop();
  return texts;
};

describe('progress', () => {
  it('overwrites one line of a terminal, and removes it', () => {
    const texts = written(true, 100);
    expect(texts).toHaveLength(61);
    expect(texts.every((text) => text.startsWith('\r') && text.length <= 81)).toBe(true);
    expect(texts.at(-1)).toMatch(/^\r +\r$/);
  });

  it('writes a plain line from time to time where there is no terminal', () => {
    expect(written(false, 10_000)).toEqual([
      'rebuild: 16 %, 50 s left',
      'rebuild: 33 %, 40 s left',
      'rebuild: 50 %, 30 s left',
      'rebuild: 66 %, 20 s left',
      'rebuild: 83 %, 10 s left',
      'rebuild: 100 %, 0 s left',
    ]);
  });
});
