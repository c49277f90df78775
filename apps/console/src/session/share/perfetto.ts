import type { OccupancySeries } from '@app/client';
import { kindOf, labelOf } from '../sawtooth/mark-kinds.js';

/** An event of the Trace Event Format, which Perfetto and chrome://tracing open. Times are microseconds. */
type TraceEvent = {
  readonly name: string;
  readonly ph: 'C' | 'X' | 'i' | 'M';
  readonly ts?: number;
  readonly dur?: number;
  readonly pid: 1;
  readonly tid?: number;
  readonly s?: 'p';
  readonly args: object;
};

/** Returns a trace of a session without content: its occupancy as counters, its compactions as slices, other marks as instants. */
export const traceOf = ({ session, points, marks }: OccupancySeries): string => {
  const micros = (at: string): number => Date.parse(at) * 1_000;
  const process: TraceEvent = { name: 'process_name', ph: 'M', pid: 1, args: { name: `session ${session}` } };
  const counters = points.map(
    ({ at, system, pinned, summary, tail }): TraceEvent => ({
      name: 'occupancy (billed tokens)',
      ph: 'C',
      ts: micros(at),
      pid: 1,
      args: { system, pinned, summary, messages: tail },
    }),
  );
  const others = marks.map((mark): TraceEvent => {
    const { name } = kindOf(mark);
    const duration = (mark.durationMs ?? 0) * 1_000;
    const end = micros(mark.at);
    const args = { ...mark, label: labelOf(mark) };
    return duration > 0
      ? { name, ph: 'X', ts: end - duration, dur: duration, pid: 1, tid: 1, args }
      : { name, ph: 'i', s: 'p', ts: end, pid: 1, tid: 1, args };
  });
  return JSON.stringify({ displayTimeUnit: 'ms', traceEvents: [process, ...counters, ...others] });
};
