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

/** Runs one command on sessions: over HTTP where a URL is given, else on the parts of this machine. */
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
 * Runs one command on a started Palimpsest and stops it afterwards, whatever happens: also on Ctrl-C, where the
 * reader of the output has gone, and where a server ends under it. Before the command begins, compactions that a
 * crash has interrupted are finished.
 */
export const withPalimpsest = async (
  options: GlobalOptions,
  run: (palimpsest: Palimpsest) => Promise<void>,
): Promise<void> => {
  requireLocal(options);
  const interruption = new Interruption();
  try {
    // Servers that are just starting are let finish: only then can they be stopped in good order.
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
  if (remoteSettings(options, process.env)) throw notOverHttp();
};

const notOverHttp = (): AppError =>
  new AppError(
    'invalid-configuration',
    'this command works on the local data folder only: leave --url out, and unset PALIMPSEST_URL',
  );

/** Problems that were recovered from are not reported: a fatal one ends the command. */
const ignoreProblem = (): (() => void) => () => {};

/** Milliseconds to wait for compactions that a crash interrupted. */
const SETTLE_MS = 60_000;

/** Brings the rows up to the end of the log, and open compactions to their end, as far as that goes. */
const settle = async (palimpsest: Palimpsest): Promise<void> => {
  await caughtUp(palimpsest);
  const until = performance.now() + SETTLE_MS;
  for (const { tenant, session, compactionId } of await palimpsest.readModels.unfinishedCompactions()) {
    try {
      const waitTimeoutMs = Math.max(0, Math.floor(until - performance.now()));
      await palimpsest.outcomes.outcomeOf({ tenant, session }, compactionId, waitTimeoutMs);
    } catch (error) {
      // The command may be about another session; if it is not, it meets the same error itself.
      if (!(error instanceof AppError)) throw error;
      note(`the interrupted compaction of session ${session} is not finished: ${error.message}`);
    }
  }
};
