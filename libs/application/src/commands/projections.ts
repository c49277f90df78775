import { randomUUID } from 'node:crypto';
import type { EventData } from '@app/domain';
import {
  AppError,
  isUnreadable,
  type LogPosition,
  type Revision,
  type StreamName,
  sessionOf,
  tenantOf,
} from '@app/kernel';
import type { EventLog, ProjectionName, Projector, ReadModels, StoppedStream, TenantLog } from '@app/ports';
import { Command } from '../command-and-query.js';
import { Handler, HandlesCommand } from '../handlers.js';
import { type SessionRef, streamOf } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

export type SkipOptions = {
  /** Position of the event that stops the stream, as the list of stopped streams shows it. */
  readonly position: LogPosition;
  /** Recorded for auditors of the stream. */
  readonly reason: string;
};
export type SkippedEvent = {
  readonly projection: ProjectionName;
  readonly position: LogPosition;
  readonly stream: StreamName;
  readonly revision: Revision;
};

/** Resumes the rows of a stopped stream without the failing event, which they lack permanently. */
export class SkipProjection extends Command<SkippedEvent> {
  constructor(
    readonly projection: string,
    readonly options: SkipOptions,
    readonly caller: Caller,
  ) {
    super();
  }
}

export type SkipParts = {
  readonly sessions: SessionStore;
  readonly log: Pick<EventLog, 'readForwards' | 'append'>;
  readonly tenantLog: Pick<TenantLog, 'append'>;
  readonly readModels: Pick<ReadModels, 'status' | 'stoppedStreams'>;
  readonly projector: Pick<Projector, 'retry'>;
};

@HandlesCommand(SkipProjection)
export class SkipProjectionHandler extends Handler<SkipProjection, never, SkipParts> {
  /**
   * Records the decision with actor and reason in the stream of the event, and requests a retry. Safe to repeat.
   *
   * @throws {AppError} `unknown-projection`, `projection-not-stopped`, `corrupt-event`.
   */
  async execute({ projection: name, options, caller }: SkipProjection): Promise<SkippedEvent> {
    const { position, reason } = options;
    const { readModels, projector } = this.parts;
    const projection = await projectionNamed(readModels, name);
    const { stream, revision } = await stopAt(readModels, projection, position);
    await this.record(stream, { projection, revision, position: String(position), reason }, caller);
    await projector.retry({ projection, position });
    return { projection, position, stream, revision };
  }

  private async record(
    stream: StreamName,
    about: EventData<'ProjectionSkipped'>,
    caller: Caller,
  ): Promise<void> {
    const session = sessionOf(stream);
    if (session) return this.recordInSession(session, about, caller);
    if (tenantOf(stream) === undefined) {
      throw new AppError(
        'corrupt-event',
        `the event at ${about.position} is in a stream that belongs to no tenant, so no auditor could read the decision: delete that stream from the event store`,
      );
    }
    // Appended without reading the tenant's stream, whose other events may be undecodable.
    const event = { type: 'TenantEventSkipped', data: about } as const;
    await this.parts.tenantLog.append(stream, 'any', [{ id: randomUUID(), event }], contextOf(caller));
  }

  private async recordInSession(
    ref: SessionRef,
    about: EventData<'ProjectionSkipped'>,
    caller: Caller,
  ): Promise<void> {
    try {
      const isSkipped = await this.isSkipped(ref, about.projection, about.revision);
      const data = { sessionId: ref.session, ...about, isSkipped };
      await this.parts.sessions.execute(ref, { type: 'SkipProjection', data }, caller);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // Appended without rebuilding the session, which may be undecodable.
      const event = { type: 'ProjectionSkipped', data: about } as const;
      await this.parts.log.append(streamOf(ref), 'any', [{ id: randomUUID(), event }], contextOf(caller));
    }
  }

  private async isSkipped(ref: SessionRef, projection: string, revision: Revision): Promise<boolean> {
    for await (const { event } of this.parts.log.readForwards(streamOf(ref), { from: revision })) {
      if (event.type !== 'ProjectionSkipped') continue;
      if (event.data.projection === projection && event.data.revision === revision) return true;
    }
    return false;
  }
}

const contextOf = ({ actor }: Caller) => ({ correlationId: randomUUID(), actor });

export type RetriedProjection = {
  readonly projection: ProjectionName;
  /** Number of stopped streams that are retried. */
  readonly streams: number;
};

/** Retries stopped streams of a projection: one of them, or all. */
export class RetryProjection extends Command<RetriedProjection> {
  constructor(
    readonly projection: string,
    /** Position of the event that stops the stream; without it, all streams of the projection are retried. */
    readonly position?: LogPosition,
  ) {
    super();
  }
}

@HandlesCommand(RetryProjection)
export class RetryProjectionHandler extends Handler<
  RetryProjection,
  never,
  {
    readonly readModels: Pick<ReadModels, 'status' | 'stoppedStreams'>;
    readonly projector: Pick<Projector, 'retry'>;
  }
> {
  /** @throws {AppError} `unknown-projection`, `projection-not-stopped`, `postgres-unavailable`. */
  async execute({ projection: name, position }: RetryProjection): Promise<RetriedProjection> {
    const projection = await projectionNamed(this.parts.readModels, name);
    if (position !== undefined) await stopAt(this.parts.readModels, projection, position);
    const streams = await this.parts.projector.retry({
      projection,
      ...(position !== undefined && { position }),
    });
    return { projection, streams };
  }
}

type Rows = Pick<ReadModels, 'status' | 'stoppedStreams'>;

/** @throws {AppError} `unknown-projection`, which lists the names. */
const projectionNamed = async (readModels: Rows, name: string): Promise<ProjectionName> => {
  const all = (await readModels.status()).map(({ projection }) => projection);
  const found = all.find((one) => one === name);
  if (found) return found;
  throw new AppError('unknown-projection', `unknown projection: use one of ${all.join(', ')}`);
};

/** @throws {AppError} `projection-not-stopped` if no stream of the projection is stopped at that event. */
const stopAt = async (
  readModels: Rows,
  projection: ProjectionName,
  position: LogPosition,
): Promise<StoppedStream> => {
  const { items } = await readModels.stoppedStreams({ projection, position, limit: 1 });
  if (items[0]) return items[0];
  throw new AppError(
    'projection-not-stopped',
    `projection "${projection}" has no stopped stream at position ${position}: give a position from the list of stopped streams`,
  );
};
