import { status } from '@grpc/grpc-js';
import { isProjection, type ProjectionName } from '../log/projections/projections.js';
import { GrpcFailure } from '../wire/grpc-failure.js';

/** @throws {GrpcFailure} NOT_FOUND if there is no system projection of that name. */
export const projectionNamed = (name: string): ProjectionName => {
  if (isProjection(name)) return name;
  throw new GrpcFailure(status.NOT_FOUND, `projection ${name} does not exist`);
};

export const customProjectionsUnsupported = (doing: string): GrpcFailure =>
  new GrpcFailure(
    status.UNIMPLEMENTED,
    `${doing} is not supported by the embedded event store, which has system projections only: ` +
      'use EventStoreDB for custom projections',
  );
