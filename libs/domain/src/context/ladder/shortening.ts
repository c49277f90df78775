import type { Tokens } from '@app/kernel';
import type { Message } from '../../message/index.js';
import type { DroppedOutput, LadderRung, TruncatedMessage } from '../../session/facts.js';
import type { OpenSession } from '../../session/state.js';
import type { Grouped } from '../../turns/cuts.js';
import { GAP_TEXT, type Manifest } from '../manifest.js';

/** The input of all rungs. All sizes are in counted tokens. */
export type Footing = {
  /** As requests carry it. */
  readonly session: OpenSession;
  readonly layout: Grouped;
  /** Index of the first entry of the newest atomic group, which no rung omits. */
  readonly newest: number;
  /** Counted tokens to omit. */
  readonly excess: number;
};

/** The effect of a rung on one request: the content that it omits. */
export type Rung = {
  /** Masked tool outputs of calls that are still included. */
  readonly masked: readonly DroppedOutput[];
  readonly droppedGroups: number;
  /** The remaining messages in order. */
  readonly messages: readonly Message[];
  /** Messages of which the beginning and the end are left. */
  readonly truncated: readonly TruncatedMessage[];
  readonly freed: number;
};

/** Target size of a request on the ladder. */
export type Descent = {
  /** The aim in billed tokens: a rung omits no more than needed to reach it. */
  readonly aim: Tokens;
  /** The limit in billed tokens: no deeper rung is tried once a rung reaches it. */
  readonly most: Tokens;
  /** The rung that a request was refused on, which is not enough. */
  readonly below?: LadderRung | undefined;
  /** Whether messages other than tool results may be shortened. */
  readonly truncates: boolean;
};

export type Shortening = Omit<Rung, 'freed'> & {
  /** The lowest rung taken, and all that were. */
  readonly rung: LadderRung;
  readonly rungs: readonly LadderRung[];
  /** Size of the request in billed tokens. */
  readonly tokens: Tokens;
};

/** Returns the part of a manifest that is sent on a rung of the ladder, and the tokens left for the answer. */
export const shortenManifest = (
  manifest: Manifest,
  { masked, droppedGroups, messages }: Shortening,
  maxOutput: Tokens,
): Manifest => ({
  ...manifest,
  maxOutput,
  gap: droppedGroups > 0 ? GAP_TEXT : undefined,
  messages,
  droppedOutputs: [...manifest.droppedOutputs, ...masked],
  isAltered: true,
});
