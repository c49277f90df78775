import { AppError } from '@app/kernel';
import {
  type EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { portError } from './errors.js';
import { readAll } from './reads/all-reads.js';

/** One event names the installation; no reader of events looks at it, and copies of the log have it. */
const STREAM = 'palimpsest_installation';
const TYPE = 'InstallationNamed';
const SESSIONS = ['session-'];

/** Reads and writes the ID of the installation that a log belongs to. @throws {AppError} `event-store-unavailable`. */
export class LogInstallation {
  constructor(private readonly client: EventStoreDBClient) {}

  /** Returns the id of the installation; `undefined` for a log without a name. */
  async id(): Promise<string | undefined> {
    try {
      let id: string | undefined;
      // Read to its end: a call that is left open delays the end of the process.
      for await (const { event } of this.client.readStream(STREAM, { maxCount: 1 })) id = idIn(event?.data);
      return id;
    } catch (error) {
      if (error instanceof StreamNotFoundError) return undefined;
      throw portError(error);
    }
  }

  /** Whether the log has events of sessions. */
  async hasSessions(): Promise<boolean> {
    try {
      let found = false;
      for await (const answers of readAll(this.client, { from: 'start', prefixes: SESSIONS, count: 1 }))
        found ||= answers.some((answer) => answer.hasEvent());
      return found;
    } catch (error) {
      throw portError(error);
    }
  }

  /** Names a log without a name; returns its name in the end: another process may have named it in the meantime. */
  async name(id: string): Promise<string> {
    const event = jsonEvent({ type: TYPE, data: { installation: id } });
    try {
      await this.client.appendToStream(STREAM, event, { expectedRevision: NO_STREAM });
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw portError(error);
    }
    return (await this.id()) ?? id;
  }
}

const idIn = (data: unknown): string => {
  if (typeof data === 'object' && data !== null && 'installation' in data) {
    const { installation } = data;
    if (typeof installation === 'string' && installation !== '') return installation;
  }
  throw new AppError('corrupt-event', `the stream ${STREAM} does not name an installation`);
};
