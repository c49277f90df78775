import type { JsonObject } from '@app/kernel';
import { calibrationOf, contributionsOf } from '../parts.js';
import type { DataOf, Payloads } from './payloads.js';

const crossing = (data: DataOf<'WarningThresholdReached'>): JsonObject => ({
  occupancy: data.occupancy,
  threshold: data.threshold,
  window: data.window,
  turn: data.turn,
  contributed: data.contributed,
});

/** Names of remedies, ids and numbers alone. */
const remediesOf = (remedies: DataOf<'RequestRefused'>['remedies']): JsonObject[] =>
  remedies.map((remedy) => ({ ...remedy }));

/** Events of requests and of the budget. */
export const requestPayloads: Payloads<
  | 'RequestCounted'
  | 'RequestPartsChanged'
  | 'RequestComposed'
  | 'RequestRefused'
  | 'LadderEntered'
  | 'LadderExited'
  | 'OverflowReported'
  | 'ContextOverflowed'
  | 'CompactionOverridden'
  | 'WarningThresholdReached'
  | 'CompactionRequired'
  | 'BlockingThresholdReached'
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
    omittedTokens: data.omittedTokens,
    failure: data.failure,
    calibration: calibrationOf(data.calibration),
  }),
  RequestPartsChanged: ({ systemPrompt, tools, contributions, client, ...data }) => ({
    systemPrompt: systemPrompt && { digest: systemPrompt.digest },
    tools: tools && { digest: tools.digest },
    fixedTokens: data.fixedTokens,
    occupancyAfter: data.occupancyAfter,
    contributions: contributions && {
      digest: contributions.digest,
      names: contributions.given.map(({ name }) => name),
    },
    client: client && {
      format: client.format,
      before: client.before && { digest: client.before.digest },
      after: client.after && { digest: client.after.digest },
      forms: client.forms?.length,
      literal: client.literal && { digest: client.literal.digest },
    },
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
    notes: data.notes.map(({ action, reason, count }) => ({ action, reason, count })),
    countedSaved: data.countedSaved,
    omittedTokens: data.omittedTokens,
    digest: data.digest,
    parts: { ...data.parts },
    contributions: contributionsOf(data.contributions),
    failedProviders: data.failedProviders && [...data.failedProviders],
    maxOutput: data.maxOutput,
    ladder: data.ladder && {
      ...data.ladder,
      truncated: data.ladder.truncated.map((one) => ({ ...one })),
    },
    ladderOption: data.ladderOption,
  }),
  RequestRefused: (data) => ({
    reason: data.reason,
    turn: data.turn,
    state: data.state,
    occupancy: data.occupancy,
    threshold: data.threshold,
    window: data.window,
    remedies: remediesOf(data.remedies),
    largest: data.largest && { ...data.largest },
    contributions: contributionsOf(data.contributions),
  }),
  LadderEntered: (data) => ({
    turn: data.turn,
    rung: data.rung,
    occupancy: data.occupancy,
    window: data.window,
  }),
  LadderExited: (data) => ({ turn: data.turn, requests: data.requests }),
  OverflowReported: (data) => ({ turn: data.turn, tokens: data.tokens, rung: data.rung }),
  ContextOverflowed: (data) => ({
    turn: data.turn,
    reason: data.reason,
    rung: data.rung,
    tokens: data.tokens,
    budget: data.budget,
    parts: data.parts.map(({ part, tokens }) => ({ part, tokens })),
    largest: data.largest && { ...data.largest },
    remedies: remediesOf(data.remedies),
  }),
  CompactionOverridden: (data) => ({
    turn: data.turn,
    reason: data.reason,
    occupancy: data.occupancy,
    threshold: data.threshold,
  }),
  WarningThresholdReached: crossing,
  CompactionRequired: crossing,
  BlockingThresholdReached: crossing,
  OccupancyFell: (data) => ({ ...crossing(data), below: data.below, state: data.state }),
  CompactionThresholdHit: (data) => ({ ...crossing(data), by: data.by }),
};
