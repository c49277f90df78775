import type { Tokens } from '@app/kernel';
import { type BudgetState, budgetState, reachesState, stateThresholds } from '../budget/limits.js';
import { type BudgetCrossing, crossedBy, isBudgetCrossing } from '../evolve/changes/change-deferral.js';
import { fold } from '../evolve/rebuild.js';
import { occupancy } from '../occupancy/occupancy.js';
import type { SessionEvent } from '../session/events.js';
import type { CrossedThresholds, OpenSession } from '../session/state.js';
import type { SessionCommand } from './commands.js';
import { NEXT } from './state-after.js';

type Level = Exclude<BudgetState, 'normal'>;

/** The thresholds of the states, the lowest first. */
const LEVELS: readonly {
  readonly level: Level;
  readonly type: Exclude<BudgetCrossing['type'], 'OccupancyFell'>;
}[] = [
  { level: 'warning', type: 'WarningThresholdReached' },
  { level: 'critical', type: 'CompactionRequired' },
  { level: 'blocking', type: 'BlockingThresholdReached' },
];

/** Commands that change thresholds, context or token measure. */
const RISING: ReadonlySet<SessionCommand['type']> = new Set([
  'SwitchModel',
  'ChangeSettings',
  'PinContent',
  'UnpinContent',
  'CountRequest',
  'CompleteCompaction',
  'RecordCompaction',
  'ResetSession',
]);

/** The crossed thresholds according to the recorded events. */
type Recorded = Pick<CrossedThresholds, Level>;

/**
 * Returns `events` followed by one event for each budget threshold that occupancy crosses through them, up or down.
 * Commands that only add messages or request something are not checked against higher thresholds: the check before
 * the next request does that.
 */
export const withCrossings = (
  { type }: SessionCommand,
  session: OpenSession,
  events: readonly SessionEvent[],
): readonly SessionEvent[] => {
  // A check records its crossings itself. Only the decision of a revert knows the restored content.
  if (type === 'CheckBudget' || type === 'RevertCompaction') return events;
  if (events.every((event) => event.type === 'MessageAppended')) return events;
  const recorded = recordedAfter(session.crossed, events);
  const mayRise = RISING.has(type);
  if (!mayRise && !recorded.warning && !recorded.critical && !recorded.blocking) return events;
  const after = fold(
    session,
    events.map((event) => ({ event, revision: NEXT })),
  );
  if (after.status !== 'open') return events;
  const crossings = crossingsTo(after, recorded);
  const recordedCrossings = mayRise ? crossings : crossings.filter((event) => event.type === 'OccupancyFell');
  return recordedCrossings.length === 0 ? events : [...events, ...recordedCrossings];
};

/** Returns the crossed thresholds after `events`, as the events state them. */
export const recordedAfter = (before: Recorded, events: readonly SessionEvent[]): Recorded =>
  events.reduce<CrossedThresholds>(
    (crossed, event) => (isBudgetCrossing(event) ? crossedBy(crossed, event) : crossed),
    { ...before, trigger: false, isServed: false },
  );

/**
 * Returns an event for each threshold that `session` has crossed since the recorded state: upwards lowest first,
 * downwards highest first.
 *
 * @param contributed counted tokens of the contributions to the next request, if not recorded yet.
 */
export const crossingsTo = (
  session: OpenSession,
  recorded: Recorded,
  contributed?: Tokens,
): readonly BudgetCrossing[] => {
  const { profile, limits, turn } = session;
  const size = occupancy(session);
  const thresholds = stateThresholds(limits, profile);
  const crossing = (level: Level) => ({
    occupancy: size,
    threshold: thresholds[level],
    window: limits.window,
    turn,
    ...(contributed !== undefined && { contributed }),
  });
  const changed = LEVELS.map(({ level, type }) => ({
    level,
    type,
    isReached: reachesState(size, limits, profile, level),
  })).filter(({ level, isReached }) => isReached !== recorded[level]);
  const up = changed.filter(({ isReached }) => isReached);
  const down = changed.filter(({ isReached }) => !isReached).reverse();
  return [
    ...up.map(({ type, level }): BudgetCrossing => ({ type, data: crossing(level) })),
    ...down.map(
      ({ level }): BudgetCrossing => ({
        type: 'OccupancyFell',
        data: { ...crossing(level), below: level, state: budgetState(size, limits, profile) },
      }),
    ),
  ];
};
