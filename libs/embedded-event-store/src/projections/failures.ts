import { status } from '@grpc/grpc-js';
import { isProjection, type ProjectionName } from '../log/projections/projections.js';
import { GrpcFailure } from '../wire/grpc-failure.js';

/** @throws {GrpcFailure} NOT_FOUND where there is no system projection of that name. */
export const projectionNamed = (name: string): ProjectionName => {
  if (isProjection(name)) return name;
  throw new GrpcFailure(status.NOT_FOUND, `there is no projection ${name}`);
};

export const userProjectionsUnbuilt = (doing: string): GrpcFailure =>
  new GrpcFailure(
    status.UNIMPLEMENTED,
    `${doing} is not implemented by the embedded event store, whose system projections are what they are: ` +
      'to define or change projections takes EventStoreDB',
  );
