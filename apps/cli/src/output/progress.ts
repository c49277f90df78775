import { note } from './print.js';
import { visibleLine } from './visible.js';

/** Progress of a command: `fraction` from 0 to 1, absent while the total is unknown; `detail` is a rate or a count. */
export type ProgressState = { readonly fraction?: number; readonly detail?: string };

/** Destination and layout of progress. */
type ProgressOutput = {
  readonly isTerminal: boolean;
  /** Columns per line. */
  readonly width: number;
  /** Milliseconds between two reports. */
  readonly intervalMs: number;
  readonly write: (text: string) => void;
};

const WIDTH = 80;
const TERMINAL_INTERVAL_MS = 100;
/**
 * Milliseconds between lines in a log; unless progress is wanted also before the first one, so that short commands
 * write none.
 */
const LOG_INTERVAL_MS = 10_000;
const WANTED_INTERVAL_MS = 2_000;

/**
 * Writes progress to stderr: on a terminal one line that is overwritten, elsewhere a line every ten seconds. With
 * `isWanted`, the first state and then a line every two seconds.
 */
export class Progress {
  private readonly startedAt: number;
  private reportedAt: number;
  private isShown = false;

  constructor(
    private readonly label: string,
    isWanted = false,
    private readonly now: () => number = () => performance.now(),
    private readonly output: ProgressOutput = stderrOutput(isWanted),
  ) {
    this.startedAt = now();
    this.reportedAt = output.isTerminal || isWanted ? Number.NEGATIVE_INFINITY : this.startedAt;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.now() - this.startedAt;
  }

  /** Reports the state, unless the last report is too recent. */
  update(state: ProgressState): void {
    const { isTerminal, width, intervalMs, write } = this.output;
    const now = this.now();
    if (now - this.reportedAt < intervalMs) return;
    this.reportedAt = now;
    const line = progressLine(this.label, state, this.elapsedMs, width);
    this.isShown = isTerminal;
    write(isTerminal ? `\r${line.padEnd(width - 1)}` : line);
  }

  /** Removes the line from the terminal. */
  stop(): void {
    if (this.isShown) this.output.write(`\r${' '.repeat(this.output.width - 1)}\r`);
    this.isShown = false;
  }
}

/** Returns a line of less than `width` columns: label (cut if too long), percent, detail and remaining time. */
export const progressLine = (
  label: string,
  { fraction, detail }: ProgressState,
  elapsedMs: number,
  width = WIDTH,
): string => {
  const facts = [
    ...(fraction === undefined ? [] : [`${Math.floor(Math.min(1, fraction) * 100)} %`]),
    ...(detail === undefined ? [] : [detail]),
    ...(fraction === undefined || fraction <= 0
      ? []
      : [`${durationText(elapsedMs * (1 / fraction - 1))} left`]),
  ].join(', ');
  const room = Math.max(0, width - 3 - facts.length);
  const name = visibleLine(label);
  return `${name.length <= room ? name : `${name.slice(0, Math.max(0, room - 1))}…`}: ${facts}`;
};

/** Returns a duration such as `12 s`, `3 min 20 s` or `2 h 5 min`. */
const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const stderrOutput = (isWanted: boolean): ProgressOutput => {
  const { isTTY: isTerminal = false, columns = WIDTH } = process.stderr;
  const logInterval = isWanted ? WANTED_INTERVAL_MS : LOG_INTERVAL_MS;
  return {
    isTerminal,
    // A terminal that does not know its size says 0.
    width: columns || WIDTH,
    intervalMs: isTerminal ? TERMINAL_INTERVAL_MS : logInterval,
    write: isTerminal ? (text) => void process.stderr.write(text) : note,
  };
};
