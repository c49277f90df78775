import type { JsonObject } from '@app/kernel';
import { calibrationOf, contributionsOf } from '../parts.js';
import type { DataOf, Payloads } from './payloads.js';

const crossing = (data: DataOf<'CompactionWarning'>): JsonObject => ({
  occupancy: data.occupancy,
  threshold: data.threshold,
  window: data.window,
  turn: data.turn,
  contributed: data.contributed,
});

/** Requests, and how they stand to the budget. */
export const requestPayloads: Payloads<
  | 'RequestCounted'
  | 'RequestComposed'
  | 'RequestRefused'
  | 'OverflowReported'
  | 'ContextOverflow'
  | 'CompactionOverridden'
  | 'CompactionWarning'
  | 'CompactionRequired'
  | 'CompactionBlocking'
  | 'OccupancyFell'
  | 'CompactionThresholdHit'
> = {
  RequestCounted: (data) => ({
    turn: data.turn,
    model: data.model,
    counter: data.counter,
    tokens: data.tokens,
    estimated: data.estimated,
    contributed: data.contributed,
    failure: data.failure,
    calibration: calibrationOf(data.calibration),
  }),
  RequestComposed: (data) => ({
    requestId: data.requestId,
    format: data.format,
    revision: data.revision,
    turn: data.turn,
    occupancy: data.occupancy,
    counted: data.counted,
    window: data.window,
    state: data.state,
    epoch: data.epoch,
    stages: [...data.stages],
    notes: data.notes.map(({ did, because, count }) => ({ did, because, count })),
    countedSaved: data.countedSaved,
    digest: data.digest,
    contributions: contributionsOf(data.contributions),
    failedProviders: data.failedProviders && [...data.failedProviders],
    ladder: data.ladder && { ...data.ladder },
  }),
  RequestRefused: (data) => ({
    reason: data.reason,
    turn: data.turn,
    state: data.state,
    occupancy: data.occupancy,
    threshold: data.threshold,
    window: data.window,
    waysOut: [...data.waysOut],
    contributions: contributionsOf(data.contributions),
  }),
  OverflowReported: (data) => ({ turn: data.turn, tokens: data.tokens }),
  ContextOverflow: (data) => ({
    turn: data.turn,
    because: data.because,
    rung: data.rung,
    tokens: data.tokens,
    budget: data.budget,
    parts: data.parts.map(({ part, tokens }) => ({ part, tokens })),
  }),
  CompactionOverridden: (data) => ({
    turn: data.turn,
    reason: data.reason,
    occupancy: data.occupancy,
    threshold: data.threshold,
  }),
  CompactionWarning: crossing,
  CompactionRequired: crossing,
  CompactionBlocking: crossing,
  OccupancyFell: (data) => ({ ...crossing(data), below: data.below, state: data.state }),
  CompactionThresholdHit: (data) => ({ ...crossing(data), by: data.by }),
};
