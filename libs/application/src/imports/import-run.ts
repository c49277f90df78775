import type { ImportedSession } from '@app/contract';
import { type SessionEvent, UNKNOWN_MODEL } from '@app/domain';
import type { TranscriptFormat, TranscriptItem, TranscriptSession } from '@app/formats';
import { defined, type Revision, SessionId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { ChangeSettings } from '../commands/sessions/change-settings.js';
import { ForkSession } from '../commands/sessions/fork-session.js';
import { OpenSession } from '../commands/sessions/open-session.js';
import { requireOpen, type SessionRef, streamOf } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';
import type { ImportOptions } from './import-types.js';
import { Player, type PlayerDependencies } from './playback/player.js';
import { compactionIdOf } from './playback/record-compaction.js';

type Item = Exclude<TranscriptItem, { readonly kind: 'skipped' }>;
/** An item of a session: a message, a compaction or cleared tool outputs. */
type Happening = Exclude<Item, { readonly kind: 'session' | 'title' }>;

type Given = {
  readonly format: TranscriptFormat;
  readonly options: ImportOptions;
  readonly caller: Caller;
};

type Pending = {
  readonly session: TranscriptSession;
  readonly held: Happening[];
  player: Player | undefined;
  /** The newest title that the user has set. */
  title: string | undefined;
};

/** Provider formats, which no particular program writes; the others are named after their program. */
const WIRE_FORMATS: ReadonlySet<TranscriptFormat> = new Set([
  'openai-messages',
  'openai-responses',
  'anthropic-messages',
]);
/** Maximum of messages held back until the model of their session is known. */
const HOLD_MAX = 100;
/** Maximum bytes of unrecorded messages of all sessions of a file. */
const WEIGHT_MAX = 4_000_000;

/** The import of one transcript, with a player for each session. */
export class ImportRun {
  private readonly pending = new Map<string, Pending>();
  /** Bytes of unrecorded messages. */
  private weight = 0;

  constructor(
    private readonly deps: PlayerDependencies,
    private readonly given: Given,
  ) {}

  /** Holds messages back until one names the model, with which the session is opened. */
  async take(item: Item): Promise<void> {
    if (item.kind === 'session') {
      const { session } = item;
      this.pending.set(session.id, { session, held: [], player: undefined, title: session.title });
      return;
    }
    const pending = this.pending.get(item.sessionId);
    if (!pending) return;
    if (item.kind === 'title') {
      pending.title = item.title;
      return;
    }
    if (pending.player) return this.play(pending.player, item);
    pending.held.push(item);
    if (this.isKnown(pending, item) || pending.held.length >= HOLD_MAX) await this.begin(pending);
  }

  async end(): Promise<readonly ImportedSession[]> {
    const { format, options } = this.given;
    const imported: ImportedSession[] = [];
    for (const pending of this.pending.values()) {
      if (!pending.player && pending.held.length === 0) continue;
      const player = pending.player ?? (await this.begin(pending));
      await player.end();
      const ref = refOf(pending.session.id, options);
      await this.name(ref, pending);
      const { state, revision } = await this.deps.sessions.load(ref);
      const { messages, turn: turns, compactions } = requireOpen(ref, state);
      const { toolCalls } = player;
      const tokens = await player.tokens(revision);
      imported.push({ session: ref.session, format, messages, turns, toolCalls, tokens, compactions });
    }
    return imported;
  }

  /** Sets the title of the transcript, unless the session has one. */
  private async name(ref: SessionRef, { title }: Pending): Promise<void> {
    if (title === undefined) return;
    const session = requireOpen(ref, (await this.deps.sessions.load(ref)).state);
    if (session.closed || session.description.title !== undefined) return;
    await this.deps.commands.execute(new ChangeSettings(ref, { title }, this.given.caller));
  }

  /** Records all played items; the next import continues after them. */
  async breakOff(): Promise<void> {
    await Promise.allSettled(this.players().map((player) => player.flush()));
  }

  private players(): readonly Player[] {
    return [...this.pending.values()].flatMap(({ player }) => player ?? []);
  }

  private async play(player: Player, item: Happening): Promise<void> {
    const { weight } = player;
    await happen(player, item, this.given.format);
    this.weight += player.weight - weight;
    if (this.weight <= WEIGHT_MAX) return;
    for (const each of this.players()) await each.flush();
    this.weight = 0;
  }

  /** Whether the model is known; a branch has the model of its source. */
  private isKnown(pending: Pending, item: Happening): boolean {
    if (pending.session.forkOf || this.modelOf(pending) !== undefined) return true;
    return item.kind === 'message' && item.message.role === 'assistant';
  }

  private async begin(pending: Pending): Promise<Player> {
    const { options, caller } = this.given;
    const ref = refOf(pending.session.id, options);
    const player = new Player(ref, caller, this.deps, options.admit);
    const { state } = await this.deps.sessions.load(ref);
    if (state.status === 'open' || (await this.fork(pending.session))) await player.resume();
    else await this.open(ref, pending);
    pending.player = player;
    for (const item of pending.held.splice(0)) await this.play(player, item);
    return player;
  }

  private async open(ref: SessionRef, pending: Pending): Promise<void> {
    const { session } = pending;
    const { options, caller } = this.given;
    // The window of the transcript does not apply to another model.
    const window = options.window ?? (options.model === undefined ? session.window : undefined);
    const input = {
      model: this.modelOf(pending) ?? UNKNOWN_MODEL,
      profile: options.profile,
      ...(window !== undefined && { window }),
      systemPrompt: session.system ?? '',
      tools: session.tools ?? [],
      ...(session.parentId !== undefined && { parentSessionId: SessionId(session.parentId) }),
      ...this.described(pending),
    };
    await this.deps.commands.execute(new OpenSession(ref, input, caller));
  }

  /** Returns the given metadata, by default that of the transcript. */
  private described({ session, title }: Pending) {
    const { format, options } = this.given;
    const agent = options.agent ?? (WIRE_FORMATS.has(format) ? undefined : format);
    const project = options.project ?? session.project;
    return {
      ...defined({ title, agent, project }),
      labels: options.labels ?? {},
      ...(options.subjects && { subjects: options.subjects }),
    };
  }

  /** @returns whether the session was forked; `false` if the source has no such message. */
  private async fork({ id, forkOf }: TranscriptSession): Promise<boolean> {
    const source = forkOf && this.pending.get(forkOf.sessionId);
    if (!forkOf || !source) return false;
    const { options, caller } = this.given;
    await (source.player ?? (await this.begin(source))).flush();
    const point = await pointBehind(this.deps.log, refOf(forkOf.sessionId, options), forkOf.behind);
    if (!point) return false;
    await this.deps.commands.execute(new ForkSession(point.ref, { at: point.at, as: SessionId(id) }, caller));
    return true;
  }

  private modelOf({ session, held }: Pending): string | undefined {
    return (
      this.given.options.model ?? session.model ?? held.map(modelIn).find((model) => model !== undefined)
    );
  }
}

const refOf = (id: string, { tenant }: ImportOptions): SessionRef => ({ tenant, session: SessionId(id) });

const modelIn = (item: Happening): string | undefined =>
  item.kind === 'message' ? item.message.model : undefined;

const happen = (player: Player, item: Happening, format: TranscriptFormat): Promise<void> => {
  switch (item.kind) {
    case 'message':
      return player.play(item.message);
    case 'compaction':
      return player.compact(format, item.compaction);
    case 'pruning':
      return player.prune(format, item.pruning);
  }
};

type Behind = NonNullable<TranscriptSession['forkOf']>['behind'];

/** A session as of a revision. */
type Point = { readonly ref: SessionRef; readonly at: Revision };

/**
 * Returns the revision right after a message or compaction of a transcript; `undefined` if the session has none. For a branch,
 * copied messages are searched in the source session.
 */
const pointBehind = async (
  log: EventLog,
  ref: SessionRef,
  { kind, id }: Behind,
  from?: Revision,
): Promise<Point | undefined> => {
  const compactionId = compactionIdOf(ref, { id });
  const isIt = ({ type, data }: SessionEvent): boolean =>
    kind === 'message'
      ? type === 'MessageAppended' && data.message.id === id
      : type === 'CompactionApplied' && data.compactionId === compactionId;
  for await (const { event, revision } of log.readBackwards(
    streamOf(ref),
    from === undefined ? {} : { from },
  )) {
    if (isIt(event)) return { ref, at: revision };
    if (event.type !== 'SessionForked') continue;
    const source = event.data.from;
    return pointBehind(log, { ...ref, session: source.sessionId }, { kind, id }, source.revision);
  }
  return undefined;
};
