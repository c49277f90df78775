import { AppError } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { loadEngine } from './engine.js';
import { Interruption } from './interruption.js';
import { configFrom, type GlobalOptions } from './options.js';
import { outputFailure } from './output/flushed.js';
import { note } from './output/print.js';
import { remoteService } from './remote/remote-service.js';
import { type RemoteSettings, remoteSettings } from './remote/remote-settings.js';
import { caughtUp } from './service/caught-up.js';
import { localService } from './service/local-service.js';
import type { Service } from './service/service.js';

/** Runs one command on sessions: over HTTP if a URL is configured, else on the local engine. */
export const withService = (
  options: GlobalOptions,
  run: (service: Service) => Promise<void>,
): Promise<void> => {
  const remote = remoteSettings(options, process.env);
  return remote
    ? withRemote(remote, run)
    : withPalimpsest(options, (palimpsest) => run(localService(palimpsest, options.why)));
};

const withRemote = async (
  settings: RemoteSettings,
  run: (service: Service) => Promise<void>,
): Promise<void> => {
  const interruption = new Interruption();
  try {
    await Promise.race([run(remoteService(settings)), interruption.happened, outputFailure]);
  } finally {
    interruption.forget();
  }
};

/**
 * Starts the engine, finishes compactions that a crash interrupted, runs one command, and stops the engine in every
 * case: also on Ctrl-C, when the reader of the output is gone, and when an embedded server ends.
 */
export const withPalimpsest = async (
  options: GlobalOptions,
  run: (palimpsest: Palimpsest) => Promise<void>,
): Promise<void> => {
  requireLocal(options);
  const interruption = new Interruption();
  try {
    // Waits for embedded servers that are starting; only started servers can be stopped cleanly.
    const { openPalimpsest } = await loadEngine();
    const palimpsest = await openPalimpsest(await configFrom(options), { onProblem: ignoreProblem });
    try {
      interruption.throwIfAsked();
      const work = settle(palimpsest)
        .then(() => run(palimpsest))
        .then(() => palimpsest.settled());
      await Promise.race([work, palimpsest.failure, interruption.happened, outputFailure]);
    } finally {
      await palimpsest.close();
    }
  } finally {
    interruption.forget();
  }
};

/** @throws {AppError} `invalid-configuration` if a URL of a service is given. */
export const requireLocal = (options: GlobalOptions): void => {
  // Before the key of the service is missed, which would not help.
  if (options.url !== undefined || process.env.PALIMPSEST_URL || remoteSettings(options, process.env))
    throw notOverHttp();
};

const notOverHttp = (): AppError =>
  new AppError(
    'invalid-configuration',
    'this command works on the local data folder only: leave --url out, and unset PALIMPSEST_URL',
  );

/** Ignores recovered problems; a fatal one ends the command. */
const ignoreProblem = (): (() => void) => () => {};

/** Milliseconds to wait for interrupted compactions. */
const SETTLE_MS = 60_000;

/** Brings the read models up to the end of the log and finishes open compactions if possible. */
const settle = async (palimpsest: Palimpsest): Promise<void> => {
  await caughtUp(palimpsest);
  const until = performance.now() + SETTLE_MS;
  for (const { tenant, session, compactionId } of await palimpsest.readModels.unfinishedCompactions()) {
    try {
      const waitTimeoutMs = Math.max(0, Math.floor(until - performance.now()));
      await palimpsest.outcomes.outcomeOf({ tenant, session }, compactionId, waitTimeoutMs);
    } catch (error) {
      // The error may concern another session; if it concerns the command's session, the command reports it.
      if (!(error instanceof AppError)) throw error;
      note(`the interrupted compaction of session ${session} is not finished: ${error.message}`);
    }
  }
};
