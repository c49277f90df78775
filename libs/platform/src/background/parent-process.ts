import type { Metrics } from '../telemetry/metrics.js';
import { CHILD, type ParentMessage, type WorkerMessage } from './messages.js';

type Start = Extract<ParentMessage, { kind: 'start' }>;

/** The parent of a worker that was forked by `BackgroundWorker`. */
export type ParentProcess = {
  readonly start: Promise<Pick<Start, 'config' | 'servers'>>;
  /** Resolves when the parent, or the system with SIGTERM, asks the worker to stop. */
  readonly stopAsked: Promise<string>;
  /** Tells the parent that the worker is ready, and gives it its metrics from now on. */
  ready(metrics: Pick<Metrics, 'values'>): void;
  /** Lets the process exit. */
  leave(): void;
};

/**
 * Returns the parent; `undefined` if this process was started by itself. When the parent has died, this process ends at once: its
 * work survives a kill, and must not outlive the servers of the parent.
 */
export const parentProcess = (): ParentProcess | undefined => {
  if (process.send === undefined || !process.argv.includes(CHILD)) return undefined;
  const orphaned = (): never => process.exit(1);
  process.on('disconnect', orphaned);
  // A terminal sends both to every process; the parent decides for this one.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  let metrics: Pick<Metrics, 'values'> | undefined;
  const send = (message: WorkerMessage): void => void process.send?.(message, undefined, {}, () => {});
  let starts: (start: Start) => void = () => {};
  let stops: (reason: string) => void = () => {};
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'start') starts(message);
    if (message.kind === 'stop') stops('stop');
    if (message.kind === 'metrics')
      void metrics?.values().then((values) => send({ kind: 'metrics', values }));
  });
  return {
    start: new Promise((resolve) => {
      starts = resolve;
    }),
    stopAsked: new Promise((resolve) => {
      stops = resolve;
      process.on('SIGTERM', resolve);
    }),
    ready: (given) => {
      metrics = given;
      send({ kind: 'ready' });
    },
    leave: () => {
      process.off('disconnect', orphaned);
      process.disconnect?.();
    },
  };
};
