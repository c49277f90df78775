import { retentionOf } from '../../compaction/prepare/retention.js';
import { compose } from '../../context/compose.js';
import type { Shortening } from '../../context/ladder/shortening.js';
import { manifestOf } from '../../context/manifest.js';
import { type MessageStanding, standingsOf } from '../../context/standing.js';
import { formatOf } from '../../context/wire/reasoning.js';
import { hasReasoning, traitsOf } from '../../message/index.js';
import type { WireFormat, WireNote } from '../../message/wire.js';
import type { TurnRetention } from '../../session/retention.js';
import type { OpenSession } from '../../session/state.js';
import { planRequest } from './plan-request.js';

/** The request under inspection: its format, omissions of composing, and effect of the ladder. */
export type InForceOptions = {
  /** Default: the format of the newest request, else of the model's vendor. */
  readonly format?: WireFormat;
  /** Notes of that request, if it is composed already. */
  readonly notes?: readonly WireNote[];
  readonly shortening?: Shortening | undefined;
};

/** Returns the standing of each message in the next request, by its index among the entries. */
export const standingsInForce = (
  session: OpenSession,
  { format = formatOf(session), notes, shortening = shorteningInForce(session) }: InForceOptions = {},
): ((at: number) => MessageStanding) => {
  const left = new Set(
    (notes ?? notesOf(session, format)).flatMap((note) =>
      note.action === 'omitted-reasoning' ? [note.messageId] : [],
    ),
  );
  return standingsOf(session, { leavesOut: ({ id }) => left.has(id), shortening });
};

/** Returns the omissions of the ladder in the next request, if the newest one used the ladder. */
export const shorteningInForce = (session: OpenSession): Shortening | undefined => {
  if (session.request.rung === undefined) return undefined;
  const plan = planRequest(session);
  return plan.kind === 'shortened' ? plan.shortening : undefined;
};

/** Composing omits only reasoning: without any, nothing is composed. */
const notesOf = (session: OpenSession, format: WireFormat): readonly WireNote[] =>
  session.entries.some(({ message }) => hasReasoning(message))
    ? compose(manifestOf(session), format).notes
    : [];

/**
 * Returns the retention of each turn that the newest compaction covered or that followed it, oldest first. A partly
 * summarized turn has a second row if requests omit parts of its rest.
 */
export const retentionInForce = (
  session: OpenSession,
  options: InForceOptions = {},
): readonly TurnRetention[] => {
  const covered = (session.pivot?.retention ?? []).filter(
    ({ rule }) => rule === 'summarized' || rule === 'split',
  );
  const turns = new Set(covered.map(({ turn }) => turn));
  const standing = retentionOf({
    entries: session.entries,
    traits: session.entries.map(({ message }) => traitsOf(message)),
    at: 0,
    carried: undefined,
    standingAt: standingsInForce(session, options),
    toolOutputs: session.profile.toolOutputs,
    reasoningIn: new Set(),
  });
  return [...covered, ...standing.filter((turn) => !turns.has(turn.turn) || !isWhole(turn))].sort(
    (a, b) => a.turn - b.turn,
  );
};

const isWhole = ({ rule, toolOutputs, reasoning }: TurnRetention): boolean =>
  [rule, toolOutputs, reasoning].every((one) => one === 'verbatim' || one === 'none');
