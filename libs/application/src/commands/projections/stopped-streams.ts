import { AppError, type LogPosition } from '@app/kernel';
import type { ProjectionName, ReadModels, StoppedStream } from '@app/ports';

type Rows = Pick<ReadModels, 'status' | 'stoppedStreams'>;

/** @throws {AppError} `unknown-projection`, which lists the names. */
export const projectionNamed = async (readModels: Rows, name: string): Promise<ProjectionName> => {
  const all = (await readModels.status()).map(({ projection }) => projection);
  const found = all.find((one) => one === name);
  if (found) return found;
  throw new AppError('unknown-projection', `unknown projection: use one of ${all.join(', ')}`);
};

/** @throws {AppError} `projection-not-stopped` if no stream of the projection is stopped at that event. */
export const stopAt = async (
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
