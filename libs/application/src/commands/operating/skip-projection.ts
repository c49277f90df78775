import { randomUUID } from 'node:crypto';
import type { ProjectionSkipped } from '@app/domain';
import { AppError, type LogPosition, Revision, sessionOf, type TenantId } from '@app/kernel';
import type { EventLog, ProjectionName, ProjectionStop, Projector, ReadModels } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';

export type SkipOptions = {
  /** Of the event that the projection has stopped before: nobody skips what they have not seen. */
  readonly position: LogPosition;
  /** For whoever audits the session, who will read it. */
  readonly reason: string;
  /** Whose events alone may be skipped; anybody's where it is not given. */
  readonly within?: TenantId;
};
export type SkippedEvent = SessionRef & {
  readonly projection: ProjectionName;
  readonly position: LogPosition;
  readonly revision: Revision;
};

/** Lets a stopped projection go on without the event that it cannot take. What it shows lacks that event for good. */
export class SkipProjection extends Command<SkippedEvent> {
  constructor(
    readonly projection: string,
    readonly options: SkipOptions,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(SkipProjection)
export class SkipProjectionHandler implements ICommandHandler<SkipProjection> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly log: Pick<EventLog, 'readForwards' | 'append'>,
    private readonly readModels: Pick<ReadModels, 'status'>,
    private readonly projector: Pick<Projector, 'retry'>,
  ) {}

  /**
   * Records the decision in the session that the event is of, and has the projection tried again. Safe to repeat.
   *
   * @throws {AppError} `unknown-projection`, `projection-not-stopped`, `forbidden`, `corrupt-event`.
   */
  async execute({ projection, options, caller }: SkipProjection): Promise<SkippedEvent> {
    const { position, reason, within } = options;
    const { name, event } = await this.stopOf(projection, position);
    const ref = sessionOf(event.stream);
    if (!ref) {
      throw new AppError(
        'corrupt-event',
        `the event at ${position} is in a stream that holds no session, so that nobody could read the decision: delete that stream from the event store`,
      );
    }
    if (within !== undefined && ref.tenant !== within) {
      throw new AppError(
        'forbidden',
        'the event is none of your tenant: whoever runs the service may skip it',
      );
    }
    const revision = Revision(event.revision);
    const about = { projection: name, revision, position: String(position), reason };
    await this.record(ref, about, caller);
    await this.projector.retry(name);
    return { ...ref, projection: name, position, revision };
  }

  private async record(ref: SessionRef, about: ProjectionSkipped['data'], caller: Caller): Promise<void> {
    try {
      const isSkipped = await this.isSkipped(ref, about.projection, about.revision);
      const data = { sessionId: ref.session, ...about, isSkipped };
      await this.sessions.execute(ref, { type: 'SkipProjection', data }, caller);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'corrupt-event')) throw error;
      // Nothing can be decided in a session that cannot be read. The decision is an operator's, not the session's.
      const event = { type: 'ProjectionSkipped', data: about } as const;
      const context = { correlationId: randomUUID(), actor: caller.actor };
      await this.log.append(streamOf(ref), 'any', [{ id: randomUUID(), event }], context);
    }
  }

  private async stopOf(
    projection: string,
    position: LogPosition,
  ): Promise<{ readonly name: ProjectionName; readonly event: NonNullable<ProjectionStop['event']> }> {
    const all = await this.readModels.status();
    const status = all.find((one) => one.projection === projection);
    if (!status) {
      const names = all.map((one) => one.projection).join(', ');
      throw new AppError('unknown-projection', `there is no projection of that name: use one of ${names}`);
    }
    const event = status.stopped?.event;
    if (event?.position === position) return { name: status.projection, event };
    const where = event ? `it has stopped before ${event.position}` : 'it has stopped before no event';
    throw new AppError(
      'projection-not-stopped',
      `projection "${status.projection}" does not stand before an event at ${position}: ${where}`,
    );
  }

  private async isSkipped(ref: SessionRef, projection: string, revision: Revision): Promise<boolean> {
    for await (const { event } of this.log.readForwards(streamOf(ref), { from: revision })) {
      if (event.type !== 'ProjectionSkipped') continue;
      if (event.data.projection === projection && event.data.revision === revision) return true;
    }
    return false;
  }
}
