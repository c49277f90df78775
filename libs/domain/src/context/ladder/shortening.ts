import type { Tokens } from '@app/kernel';
import type { Message } from '../../message/index.js';
import type { DroppedOutput, LadderRung, TruncatedMessage } from '../../session/facts.js';
import type { OpenSession } from '../../session/state.js';
import type { Grouped } from '../../turns/cuts.js';

/** What the rungs work on. All sizes are in tokens of the session's counter. */
export type Footing = {
  /** As requests carry it. */
  readonly session: OpenSession;
  readonly layout: Grouped;
  /** The place of the newest atomic group's first entry: what stands from there on no rung leaves out. */
  readonly newest: number;
  /** How much is to be left out, in counted tokens. */
  readonly excess: number;
};

/** What a rung makes of a session, read-time only: what it leaves out of one request. */
export type Rung = {
  /** Tool outputs in whose place a line stands, of calls that are still there. */
  readonly masked: readonly DroppedOutput[];
  readonly droppedGroups: number;
  /** What is left of the session's messages, in their order. */
  readonly messages: readonly Message[];
  /** Messages of which the beginning and the end are left. */
  readonly truncated: readonly TruncatedMessage[];
  readonly freed: number;
};

/** How far a request has to go down. */
export type Descent = {
  /** What it aims at, in billed tokens: the ladder leaves out no more than that takes, on the rung that it has come to. */
  readonly aim: Tokens;
  /** What it may hold at most, in billed tokens: as soon as a rung has come there, no deeper one is taken. */
  readonly most: Tokens;
  /** The rung that a request was refused on, which is not enough. */
  readonly below?: LadderRung | undefined;
  /** Whether messages may be shortened that are no tool results. */
  readonly truncates: boolean;
};

export type Shortening = Omit<Rung, 'freed'> & {
  /** The lowest rung taken, and all that were. */
  readonly rung: LadderRung;
  readonly rungs: readonly LadderRung[];
  /** Of the request, in billed tokens. */
  readonly tokens: Tokens;
};
