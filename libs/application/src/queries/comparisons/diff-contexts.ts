import type { CarriedMessage, ChangedMessage, ContextDiff, ContextSide, DiffedMessage } from '@app/contract';
import {
  type Entry,
  estimatedTokens,
  type OpenSession,
  type Pin,
  shownTokens,
  standingsInForce,
} from '@app/domain';
import {
  type AsOf,
  canonicalJson,
  invariant,
  type MessageId,
  type PinId,
  type Revision,
  type Tokens,
} from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';

/** Items that only one of the contexts has. */
export type Apart<Item> = { readonly onlyInA: readonly Item[]; readonly onlyInB: readonly Item[] };
/** Compares the contexts of two states of a session. */
export class DiffContexts extends QueryOnSession<
  ContextDiff,
  { readonly a: AsOf; readonly b: AsOf; readonly content: boolean }
> {}

@HandlesQuery(DiffContexts)
export class DiffContextsHandler extends Handler<DiffContexts, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `revision-not-found`, `request-not-found`. */
  async execute({ ref, input: { a, b, content } }: DiffContexts): Promise<ContextDiff> {
    const [sideA, sideB] = [await this.contextAt(ref, a), await this.contextAt(ref, b)];
    const [atA, atB] = [sideA.session, sideB.session];
    const shown = (entry: Entry): DiffedMessage => messageOf(entry, content);
    return {
      a: sideOf(atA, sideA.revision, content),
      b: sideOf(atB, sideB.revision, content),
      summaryChanged: atA.pivot?.compactionId !== atB.pivot?.compactionId,
      messages: {
        ...mapped(
          apart(messagesOf(atA), messagesOf(atB), ({ message }) => message.id),
          shown,
        ),
        changed: changedBetween(atA, atB),
      },
      droppedOutputs: apart(
        atA.droppedOutputs,
        atB.droppedOutputs,
        ({ messageId, callId }) => `${messageId} ${callId}`,
      ),
      pins: mapped(
        apart(atA.pins, atB.pins, ({ pinId, kind, text }) => `${pinId} ${kind} ${text}`),
        pinOf,
      ),
    };
  }

  private async contextAt(
    ref: SessionRef,
    asOf: AsOf,
  ): Promise<{ readonly session: OpenSession; readonly revision: Revision }> {
    const { state, revision } = await this.parts.sessions.loadAsOf(ref, asOf);
    const session = requireOpen(ref, state);
    invariant(revision !== undefined, 'an open session has a revision');
    return { session, revision };
  }
}

const messagesOf = ({ leadingSystem, entries }: OpenSession): readonly Entry[] => [
  ...leadingSystem,
  ...entries,
];

const sideOf = (session: OpenSession, revision: Revision, content: boolean): ContextSide => {
  const { pivot } = session;
  const summary = pivot && {
    compactionId: pivot.compactionId,
    kind: pivot.kind,
    tokens: pivot.summaryTokens,
    ...(content && { text: pivot.summary }),
  };
  return {
    revision,
    tokens: estimatedTokens(session),
    messages: messagesOf(session).length,
    summary: summary ?? null,
  };
};

const messageOf = ({ message, revision, turn, tokens }: Entry, content: boolean): DiffedMessage => ({
  id: message.id,
  revision,
  role: message.role,
  turn,
  tokens,
  ...(content && { content: message.blocks }),
});

/** Returns messages of both contexts of which requests contain different parts, in the order of the first. */
const changedBetween = (a: OpenSession, b: OpenSession): readonly ChangedMessage[] => {
  const [inA, inB] = [carriedIn(a), carriedIn(b)];
  return a.entries.flatMap(({ message: { id, role }, revision, turn }): ChangedMessage[] => {
    const [before, after] = [inA.get(id), inB.get(id)];
    if (!before || !after || canonicalJson(before) === canonicalJson(after)) return [];
    return [{ id, revision, role, turn, a: before, b: after }];
  });
};

const carriedIn = (session: OpenSession): ReadonlyMap<MessageId, CarriedMessage> => {
  const standingAt = standingsInForce(session);
  const tokensAt = shownTokens(session);
  return new Map(
    session.entries.map(({ message: { id } }, at) => {
      const { message: rule, results, reasoning } = standingAt(at);
      const toolOutputs = results.every((one) => one.rule === 'verbatim')
        ? []
        : results.map((one) => one.rule);
      const isThere = rule === 'verbatim' || rule === 'collapsed';
      return [id, { rule, toolOutputs, reasoning, countedTokens: isThere ? tokensAt(at) : 0 }];
    }),
  );
};

const pinOf = ({ pinId, kind, tokens }: Pin): { pinId: PinId; kind: Pin['kind']; tokens: Tokens } => ({
  pinId,
  kind,
  tokens,
});

const apart = <Item>(a: readonly Item[], b: readonly Item[], keyOf: (item: Item) => string): Apart<Item> => {
  const without = (items: readonly Item[], others: readonly Item[]): readonly Item[] => {
    const known = new Set(others.map(keyOf));
    return items.filter((item) => !known.has(keyOf(item)));
  };
  return { onlyInA: without(a, b), onlyInB: without(b, a) };
};

const mapped = <Item, Shown>(
  { onlyInA, onlyInB }: Apart<Item>,
  show: (item: Item) => Shown,
): Apart<Shown> => ({
  onlyInA: onlyInA.map(show),
  onlyInB: onlyInB.map(show),
});
