import { logPart, proseWithoutLogPart, sectionsFromLog } from '../log-part.js';

const counter = { estimator: 'quarter', count: (text: string) => Math.ceil(text.length / 4) };
const PROSE = '## Goal\nShip it.\n\n## State\nSaid in prose.';
const TAKEN =
  '## Goal\n> "Ship it now" [m1]\n\n## Facts\nSaid by the assistant:\n- one\n- Said in prose.\n- two\n\n## State\n- over';
const written = (room: number): string => sectionsFromLog(PROSE, TAKEN, { room, counter });

describe('log facts after a prose summary', () => {
  it('have their own heading and omit facts that the prose states', () =>
    expect(written(500)).toBe(
      `${PROSE}\n\n## From the log\n### Asked for\n> "Ship it now" [m1]\n### Facts\nSaid by the assistant:\n- one\n- two`,
    ));

  it('are whole lines up to the budget', () => {
    expect(counter.count(written(40)) - counter.count(PROSE)).toBeLessThanOrEqual(40);
    expect(written(5)).toBe(PROSE);
  });

  it('are parsed back to the same facts', () => {
    expect(logPart(written(500))).toBe(
      '## Goal\n> "Ship it now" [m1]\n## Facts\nSaid by the assistant:\n- one\n- two',
    );
    expect(proseWithoutLogPart(written(500))).toBe(PROSE);
    expect(logPart(PROSE)).toBeUndefined();
    expect(proseWithoutLogPart(PROSE)).toBe(PROSE);
  });
});
