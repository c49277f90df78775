import { type ChildProcess, fork } from 'node:child_process';
import { AppError, within } from '@app/kernel';
import { findInstalled } from '@app/ports';
import type { AppConfig } from '../config.js';
import { logLine } from '../log-problem.js';
import type { JoinedServers } from '../servers/joined-servers.js';
import type { BackgroundProcess, WorkerState } from '../telemetry/health.js';
import { countersOf, type MetricValues, summed } from '../telemetry/metrics.js';
import { CHILD, type ParentMessage, type WorkerMessage } from './messages.js';

const RESTART_MIN_MS = 250;
const RESTART_MAX_MS = 10_000;
/** Milliseconds after which a worker that ends is started again without a longer pause. */
const STABLE_MS = 60_000;
/** Milliseconds until a worker that does not stop is killed, which its work survives. */
const STOP_MAX_MS = 9_000;
/** Milliseconds to wait for metrics; then the previous ones are used. */
const METRICS_MAX_MS = 1_000;

/** Flags of V8: batches of events are short-lived, and 48 MB would be kept for new objects by default. */
const HEAP_FLAGS = ['--max-semi-space-size=4'];
/** glibc would keep freed memory in an arena for each of its threads: some 10 MB. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

type Running = { readonly child: ChildProcess; readonly exited: Promise<void> };

/** Runs roles in a child process, and starts it again whenever it ends. The child ends with this process. */
export class BackgroundWorker implements BackgroundProcess {
  state: WorkerState = 'starting';
  private running: Running;
  private isStopping = false;
  private restart: NodeJS.Timeout | undefined;
  private pauseMs = RESTART_MIN_MS;
  /** Newest values of the current process. */
  private latest: MetricValues = [];
  /** Counters of earlier processes: a total must not fall. */
  private earlier: MetricValues[] = [];
  private onMetrics: () => void = () => {};

  /** @param config with the roles of the worker. */
  constructor(
    private readonly config: AppConfig,
    private readonly servers: JoinedServers,
  ) {
    this.running = this.start();
  }

  /** Returns the metrics of the current process, and the counters of earlier ones as they were last asked for. */
  async metrics(): Promise<readonly MetricValues[]> {
    if (this.state === 'running') {
      const answered = new Promise<void>((resolve) => {
        this.onMetrics = resolve;
      });
      this.send({ kind: 'metrics' });
      await within(METRICS_MAX_MS, answered);
    }
    if (this.earlier.length > 1) this.earlier = [await summed(this.earlier)];
    return [this.latest, ...this.earlier];
  }

  /** Stops the worker after its running appends; resolves when it has exited. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    const { child, exited } = this.running;
    this.send({ kind: 'stop' });
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS);
    await exited;
    clearTimeout(kill);
  }

  private start(): Running {
    const child = fork(workerFile(), [CHILD], {
      // Debuggers and probes are of the parent alone.
      execArgv: [...HEAP_FLAGS, ...process.execArgv.filter((flag) => flag === '--enable-source-maps')],
      env: { ...ENVIRONMENT, ...process.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const startedAt = performance.now();
    child.on('message', (message: WorkerMessage) => this.receive(message));
    child.on('error', () => {}); // 'close' follows, or it was a message to a process that has ended.
    const exited = new Promise<void>((resolve) => {
      child.once('close', (code, signal) => {
        resolve();
        if (!this.isStopping) this.ended(startedAt, { code, signal });
      });
    });
    const start: ParentMessage = { kind: 'start', config: this.config, servers: this.servers };
    child.send(start, () => undefined);
    return { child, exited };
  }

  private ended(startedAt: number, how: { readonly code: number | null; readonly signal: string | null }) {
    this.state = 'restarting';
    if (this.latest.length > 0) this.earlier.push(countersOf(this.latest));
    this.latest = [];
    if (performance.now() - startedAt > STABLE_MS) this.pauseMs = RESTART_MIN_MS;
    logLine('warn', { event: 'worker-ended', ...how, restartInMs: this.pauseMs });
    this.restart = setTimeout(() => {
      this.running = this.start();
    }, this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, RESTART_MAX_MS);
  }

  private receive(message: WorkerMessage): void {
    if (message.kind === 'ready') {
      this.state = 'running';
      return;
    }
    this.latest = message.values;
    this.onMetrics();
  }

  private send(message: ParentMessage): void {
    const { child } = this.running;
    if (child.connected) child.send(message, () => undefined);
  }
}

/** Beside the bundled programs, in the compiled tree of `npm run dev`, and in `dist/` of the source. */
const PLACES = ['worker.js', 'apps/worker/src/main.js', 'dist/programs/worker.js'];

/** Returns the program of the worker, from the folder of this file or one above it. */
const workerFile = (): string => {
  const found = findInstalled(...PLACES);
  if (found !== undefined) return found;
  throw new AppError('internal', 'dist/programs/worker.js is missing: run `npm run build` first');
};
