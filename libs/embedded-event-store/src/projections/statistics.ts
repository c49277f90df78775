import { ProtoWriter } from '@app/kernel';
import { PROJECTIONS, type ProjectionMode, type ProjectionName } from '../log/projections/projections.js';
import type { Store } from '../store.js';
import type { projections } from '../wire/definitions.js';
import { invalidArgument } from '../wire/grpc-failure.js';
import { projectionNamed } from './failures.js';

/** Returns a `message StatisticsResp` per requested projection. @throws {GrpcFailure} */
export const statistics = (store: Store, request: projections.StatisticsReq): Buffer[] =>
  wanted(request).map((name) => new ProtoWriter(192).bytes(1, detailsOf(store, name)).finish());

const wanted = (request: projections.StatisticsReq): readonly ProjectionName[] => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  if (options.hasName()) return [projectionNamed(options.getName())];
  // All system projections are continuous.
  return options.hasAll() || options.hasContinuous() ? PROJECTIONS : [];
};

const detailsOf = ({ log }: Store, name: ProjectionName): Buffer => {
  const { mode, live, position } = log.projections.stateOf(name);
  const state = mode === 'running' && !log.projections.isRunning ? 'stopped' : mode;
  const at = live ? log.end : position;
  const place = `C:${at}/P:${at}`;
  return new ProtoWriter(160)
    .string(4, name)
    .string(8, STATUS[state])
    .string(10, name)
    .string(11, 'Continuous')
    .string(12, place)
    .float(13, log.end === 0 ? 100 : (100 * at) / log.end)
    .string(14, place)
    .finish();
};

const STATUS: Readonly<Record<ProjectionMode, string>> = {
  running: 'Running',
  stopped: 'Stopped',
  aborted: 'Aborted',
};
