import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../kills/random.js';
import type { ChaosDeployment, ChaosPart, ProgramPart, ServerPart } from './chaos-deployment.js';

/** A disturbance of one process, or of the connection between two. */
export type Disturbance =
  | { readonly kind: 'kill' | 'stall'; readonly part: ChaosPart }
  | { readonly kind: 'cut' | 'hold'; readonly program: ProgramPart; readonly server: ServerPart }
  | { readonly kind: 'clock'; readonly program: ProgramPart; readonly shiftMs: number }
  | { readonly kind: 'full-disk'; readonly server: ServerPart };

/** Longer than every lease: locks of PostgreSQL 10 s, its idle transactions 15 s, connections of the event store 20 s. */
export const STALL_MS = 25_000;
/** Promise: each process is replaced or resumes, and the state is consistent. */
export const RECOVERED_WITHIN_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Each kind for each part that it can happen to. */
export const ALL_DISTURBANCES: readonly Disturbance[] = [
  ...(['api', 'worker', 'other-worker', 'event-store', 'postgres'] as const).flatMap(
    (part): Disturbance[] => [
      { kind: 'kill', part },
      { kind: 'stall', part },
    ],
  ),
  ...(['api', 'worker'] as const).flatMap((program) =>
    (['event-store', 'postgres'] as const).flatMap((server): Disturbance[] => [
      { kind: 'cut', program, server },
      { kind: 'hold', program, server },
    ]),
  ),
  ...(['api', 'worker'] as const).flatMap((program) =>
    [HOUR_MS, -HOUR_MS].map((shiftMs): Disturbance => ({ kind: 'clock', program, shiftMs })),
  ),
  { kind: 'full-disk', server: 'event-store' },
  { kind: 'full-disk', server: 'postgres' },
];

export const disturbanceName = (one: Disturbance): string => {
  switch (one.kind) {
    case 'kill':
    case 'stall':
      return `${one.kind} ${one.part}`;
    case 'cut':
    case 'hold':
      return `${one.kind} ${one.program} – ${one.server}`;
    case 'clock':
      return `clock of ${one.program} ${one.shiftMs / 1_000} s`;
    case 'full-disk':
      return `full disk of ${one.server}`;
  }
};

/** Whether another process takes over while it lasts: then the books balance before it is over. */
export const hasStandBy = (one: Disturbance): boolean =>
  (one.kind === 'stall' && /worker/.test(one.part)) ||
  one.kind === 'clock' ||
  (one.kind === 'hold' && one.program !== 'api');

/** Milliseconds of a suspension: with another process to take over, and without. */
export type Pauses = { readonly stallMs: number; readonly pauseMs: number };

/** Begins it; the returned function ends it, and resolves once it is over. */
export const begin = async (
  deployment: ChaosDeployment,
  one: Disturbance,
  { stallMs, pauseMs }: Pauses,
): Promise<() => Promise<void>> => {
  const until = performance.now() + (hasStandBy(one) ? stallMs : pauseMs);
  const after = (undo: () => void) => async (): Promise<void> => {
    await pause(Math.max(0, until - performance.now()));
    undo();
  };
  switch (one.kind) {
    case 'kill':
      await deployment.kill(one.part);
      return async () => {};
    case 'stall':
      deployment.signal(one.part, 'SIGSTOP');
      return after(() => deployment.signal(one.part, 'SIGCONT'));
    case 'cut':
      deployment.link(one.program, one.server).cut();
      return async () => {};
    case 'hold':
      deployment.link(one.program, one.server).hold();
      return after(() => deployment.link(one.program, one.server).release());
    case 'clock':
      deployment.clock(one.program).jump(one.shiftMs);
      return async () => deployment.clock(one.program).jump(0);
    case 'full-disk':
      deployment.disk(one.server)?.fill();
      return after(() => deployment.disk(one.server)?.makeRoom());
  }
};

/** Disturbances without end: all of them in an order by seed, then all in another. */
export function* dealt(deck: readonly Disturbance[], random: Random): Generator<Disturbance> {
  for (;;) yield* random.shuffled(deck);
}
