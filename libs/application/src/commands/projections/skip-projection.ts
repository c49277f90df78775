import { randomUUID } from 'node:crypto';
import type { ProjectionSkipped } from '@app/domain';
import { AppError, type LogPosition, type Revision, type StreamName, sessionOf, tenantOf } from '@app/kernel';
import type { EventLog, ProjectionName, Projector, ReadModels, TenantLog } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { projectionNamed, stopAt } from './stopped-streams.js';

export type SkipOptions = {
  /** Of the event that the stream is stopped before: an operator skips only what the list of stopped streams shows. */
  readonly position: LogPosition;
  /** For the auditors of the stream. */
  readonly reason: string;
};
export type SkippedEvent = {
  readonly projection: ProjectionName;
  readonly position: LogPosition;
  readonly stream: StreamName;
  readonly revision: Revision;
};

/** Lets the rows of a stopped stream go on without the event that cannot be taken. They lack it for good. */
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

@CommandHandler(SkipProjection)
export class SkipProjectionHandler implements ICommandHandler<SkipProjection> {
  constructor(private readonly parts: SkipParts) {}

  /**
   * Records the decision, with who made it and why, in the stream that the event is of, and has the stream tried again.
   * Safe to repeat.
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

  private async record(stream: StreamName, about: ProjectionSkipped['data'], caller: Caller): Promise<void> {
    const session = sessionOf(stream);
    if (session) return this.recordInSession(session, about, caller);
    if (tenantOf(stream) === undefined) {
      throw new AppError(
        'corrupt-event',
        `the event at ${about.position} is in a stream that belongs to no tenant, so no auditor could read the decision: delete that stream from the event store`,
      );
    }
    // It is the operator's decision, not the tenant's, whose other decisions may not be readable.
    const event = { type: 'TenantEventSkipped', data: about } as const;
    await this.parts.tenantLog.append(stream, 'any', [{ id: randomUUID(), event }], contextOf(caller));
  }

  private async recordInSession(
    ref: SessionRef,
    about: ProjectionSkipped['data'],
    caller: Caller,
  ): Promise<void> {
    try {
      const isSkipped = await this.isSkipped(ref, about.projection, about.revision);
      const data = { sessionId: ref.session, ...about, isSkipped };
      await this.parts.sessions.execute(ref, { type: 'SkipProjection', data }, caller);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'corrupt-event')) throw error;
      // Nothing can be decided in a session that cannot be read. The decision is the operator's, not the session's.
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
