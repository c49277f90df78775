import type { Tokens } from '@app/kernel';
import type { Grouped } from '../../compaction/prepare/cuts.js';
import type { Message } from '../../message/index.js';
import type { DroppedOutput, LadderRung } from '../../session/facts.js';
import type { OpenSession } from '../../session/state.js';

/** What the rungs work on. All sizes are in tokens of the session's counter. */
export type Footing = {
  /** As requests carry it. */
  readonly session: OpenSession;
  readonly layout: Grouped;
  /** The place of the newest atomic group's first entry: what stands from there on no rung leaves out. */
  readonly newest: number;
  /** How much must be left out for the request to fit. */
  readonly excess: number;
};

/** What a rung makes of a session, read-time only: what it leaves out of one request. */
export type Rung = {
  /** Tool outputs in whose place a line stands, of calls that are still there. */
  readonly masked: readonly DroppedOutput[];
  readonly droppedGroups: number;
  /** What is left of the session's messages, in their order. */
  readonly messages: readonly Message[];
  readonly freed: number;
};

export type Shortening = Omit<Rung, 'freed'> & {
  /** The lowest rung taken, and all that were. */
  readonly rung: LadderRung;
  readonly rungs: readonly LadderRung[];
  /** Of the request. */
  readonly tokens: Tokens;
};
