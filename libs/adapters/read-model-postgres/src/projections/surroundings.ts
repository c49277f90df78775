import type { SessionEvent, SessionEventType, Trigger } from '@app/domain';
import type { CompactionOutcome } from '@app/ports';
import type { Transaction } from 'kysely';
import { type RowOf, table } from '../rows/kinds.js';
import type { ReadTables } from '../rows/read-tables.js';
import { storableText } from '../rows/storable.js';
import { loadRows, writeRows } from '../rows/write-rows.js';
import { compactionIdOf } from './compactions/fold-compaction.js';
import type { SessionLogEvent } from './projection.js';

/** The context of an event from earlier events of its session and from itself. `null` if unknown. */
export type Surroundings = {
  readonly trigger: Trigger | null;
  /** Profile of its compaction, otherwise of the session. */
  readonly profile: string | null;
  /** Model of the session. */
  readonly model: string | null;
  /** Model that writes the summary of its compaction. */
  readonly summarizerModel: string | null;
};

/** Reads the events of a batch, and stores their context between batches. */
export class SurroundingsReader {
  readonly #changed = new Set<string>();
  /** Of the event before. */
  #last: { readonly stream: string; readonly row: SessionSurroundings | undefined } | undefined;

  private constructor(
    private readonly tables: SurroundingTables,
    private readonly sessions: Map<string, SessionSurroundings>,
    private readonly compactions: Map<string, CompactionSurroundings>,
  ) {}

  static async load(
    trx: Transaction<ReadTables>,
    tables: SurroundingTables,
    events: readonly SessionLogEvent[],
  ): Promise<SurroundingsReader> {
    const sessionKeys = new Map<string, Key>();
    const compactionKeys = new Map<string, Key>();
    events.forEach((event, at) => {
      if (event.stream !== events[at - 1]?.stream) sessionKeys.set(keyOf(partsOf(event)), partsOf(event));
      const parts = compactionPartsOf(event);
      if (parts) compactionKeys.set(keyOf(parts), parts);
    });
    const sessions = await loadRows(trx, tables.sessions, [...sessionKeys.values()]);
    const compactions = await loadRows(trx, tables.compactions, [...compactionKeys.values()]);
    return new SurroundingsReader(
      tables,
      new Map(sessions.map((row) => [keyOf([row.tenant, row.session]), row])),
      new Map(compactions.map((row) => [keyOf([row.tenant, row.session, row.compaction]), row])),
    );
  }

  /** To be called for each event, in their order. */
  of(recorded: SessionLogEvent): Surroundings {
    const session = this.#session(recorded);
    const compaction = this.#compaction(recorded);
    const { event } = recorded;
    return {
      trigger: 'trigger' in event.data ? event.data.trigger : (compaction?.trigger ?? null),
      profile: compaction?.profile ?? session?.profile ?? null,
      model: session?.model ?? null,
      summarizerModel: compaction?.summarizer_model ?? null,
    };
  }

  async save(trx: Transaction<ReadTables>): Promise<void> {
    const changedIn = <Row>(rows: ReadonlyMap<string, Row>): readonly Row[] =>
      [...rows].flatMap(([key, row]) => (this.#changed.has(key) ? [row] : []));
    await writeRows(trx, this.tables.sessions, changedIn(this.sessions), 'replace');
    await writeRows(trx, this.tables.compactions, changedIn(this.compactions), 'replace');
  }

  #session(recorded: SessionLogEvent): SessionSurroundings | undefined {
    const { tenant, session, event } = recorded;
    const last = recorded.stream === this.#last?.stream ? this.#last : undefined;
    const news = settingsIn(event);
    if (!news && last) return last.row;
    const key = keyOf(partsOf(recorded));
    const known = this.sessions.get(key);
    const row = news ? { tenant, session, profile: null, model: null, ...known, ...news } : known;
    this.#last = { stream: recorded.stream, row };
    if (!news || !row) return row;
    this.sessions.set(key, row);
    this.#changed.add(key);
    return row;
  }

  #compaction(recorded: SessionLogEvent): CompactionSurroundings | undefined {
    const parts = compactionPartsOf(recorded);
    if (!parts) return undefined;
    const key = keyOf(parts);
    const known = this.compactions.get(key);
    const news = compactionIn(recorded.event);
    if (!news) return known;
    const { tenant, session } = recorded;
    const nothing = { trigger: null, profile: null, summarizer_model: null };
    const row = { tenant, session, compaction: parts[2], ...nothing, ...known, ...news };
    this.compactions.set(key, row);
    this.#changed.add(key);
    return row;
  }
}

type Key = readonly [tenant: string, session: string, compaction?: string];
/** Neither a tenant nor a session has a blank in it. */
const keyOf = (parts: Key): string => parts.join(' ');
const partsOf = ({ tenant, session }: SessionLogEvent) => [tenant, session] as const;
/** As they are in the tables. */
const compactionPartsOf = ({ tenant, session, event }: SessionLogEvent) => {
  const compaction = compactionIdOf(event);
  return compaction === undefined ? undefined : ([tenant, session, storableText(compaction)] as const);
};

const settingsIn = ({ type, data }: SessionEvent): Partial<SessionSurroundings> | undefined => {
  switch (type) {
    case 'SessionOpened':
      return { profile: storableText(data.profile.name), model: storableText(data.model) };
    case 'SettingsChanged':
      return { profile: storableText(data.profile.name) };
    case 'ModelSwitched':
      return { model: storableText(data.model) };
    default:
      return undefined; // Other events leave a session's settings as they are.
  }
};

const compactionIn = ({ type, data }: SessionEvent): Partial<CompactionSurroundings> | undefined => {
  switch (type) {
    case 'CompactionRequested':
    case 'CompactionDeferred':
      return { trigger: data.trigger, profile: storableText(data.profile.name) };
    case 'CompactionStarted':
    case 'CompactionCompleted': {
      const { model } = data.summarizer;
      return { summarizer_model: model === undefined ? null : storableText(model) };
    }
    default:
      return undefined; // What else happens to it says nothing of where it came from.
  }
};

/** Returns the compaction's outcome by an event of this type; `null` if it neither ends nor undoes one. */
export const outcomeOf = (type: SessionEventType): CompactionOutcome | null => {
  switch (type) {
    case 'CompactionCompleted':
      return 'completed';
    case 'CompactionFailed':
      return 'failed';
    case 'CompactionSkipped':
      return 'skipped';
    case 'CompactionCancelled':
      return 'cancelled';
    case 'CompactionReverted':
      return 'reverted';
    default:
      return null; // It goes on, or it is no event of a compaction.
  }
};

/** A projection's stored context per session and per compaction. */
export const surroundingTables = (prefix: 'audit' | 'usage') => ({
  sessions: table(`${prefix}_sessions`, ['tenant', 'session'], {
    tenant: 'text',
    session: 'text',
    profile: 'text?',
    model: 'text?',
  }),
  compactions: table(`${prefix}_compactions`, ['tenant', 'session', 'compaction'], {
    tenant: 'text',
    session: 'text',
    compaction: 'text',
    trigger: 'trigger?',
    profile: 'text?',
    summarizer_model: 'text?',
  }),
});
type SurroundingTables = ReturnType<typeof surroundingTables>;
type SessionSurroundings = RowOf<SurroundingTables['sessions']['columns']>;
type CompactionSurroundings = RowOf<SurroundingTables['compactions']['columns']>;
