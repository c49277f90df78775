import type { LogPosition } from '@app/kernel';
import type { ProjectionName, Projector, ReadModels } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { projectionNamed, stopAt } from './stopped-streams.js';

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

@CommandHandler(RetryProjection)
export class RetryProjectionHandler implements ICommandHandler<RetryProjection> {
  constructor(
    private readonly readModels: Pick<ReadModels, 'status' | 'stoppedStreams'>,
    private readonly projector: Pick<Projector, 'retry'>,
  ) {}

  /** @throws {AppError} `unknown-projection`, `projection-not-stopped`, `postgres-unavailable`. */
  async execute({ projection: name, position }: RetryProjection): Promise<RetriedProjection> {
    const projection = await projectionNamed(this.readModels, name);
    if (position !== undefined) await stopAt(this.readModels, projection, position);
    const streams = await this.projector.retry({
      projection,
      ...(position !== undefined && { position }),
    });
    return { projection, streams };
  }
}
