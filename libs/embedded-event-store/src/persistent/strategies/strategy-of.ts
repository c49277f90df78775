import { DispatchToSingle } from './dispatch-to-single.js';
import { pinnedByCorrelation, pinnedByStream } from './pin-key.js';
import { Pinned } from './pinned.js';
import { RoundRobin } from './round-robin.js';
import type { Candidate, Strategy } from './strategy.js';

export const STRATEGY_NAMES = ['DispatchToSingle', 'RoundRobin', 'Pinned', 'PinnedByCorrelation'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];

export const strategyOf = <Consumer extends Candidate>(name: StrategyName): Strategy<Consumer> => {
  switch (name) {
    case 'DispatchToSingle':
      return new DispatchToSingle();
    case 'RoundRobin':
      return new RoundRobin();
    case 'Pinned':
      return new Pinned(pinnedByStream);
    case 'PinnedByCorrelation':
      return new Pinned(pinnedByCorrelation);
  }
};
