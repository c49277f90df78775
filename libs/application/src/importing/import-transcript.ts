import { type Message, type ProfileSource, UNKNOWN_MODEL } from '@app/domain';
import type { TranscriptFormat, TranscriptItem, TranscriptMessage, TranscriptSession } from '@app/formats';
import { SessionId, type TenantId } from '@app/kernel';
import { OpenSession } from '../commands/managing/open-session.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { Player, type PlayerDependencies } from './player.js';
import { totalsOf } from './totals.js';

export type ImportOptions = {
  readonly tenant: TenantId;
  readonly profile: ProfileSource;
  /** Tokens; the model's where it is not given. */
  readonly window?: number;
  /** The transcript's where it is not given. */
  readonly model?: string;
  /** Asked before a message is appended that is new: where it throws, the import ends there, and what came before stays. */
  readonly admit?: (message: Message) => Promise<void>;
};

/** A session after its import; the counts are of the whole session, whichever import brought it in. */
export type ImportedSession = {
  readonly session: SessionId;
  readonly format: TranscriptFormat;
  readonly messages: number;
  readonly turns: number;
  readonly toolCalls: number;
  /** Estimated, of all messages ever appended. */
  readonly tokens: number;
  readonly compactions: number;
};
export type SkippedLine = { readonly line: number; readonly reason: string };
export type ImportResult = {
  readonly sessions: readonly ImportedSession[];
  readonly skipped: readonly SkippedLine[];
};

/** Messages held back at most while the model of a session is still unknown. */
const HOLD_MAX = 100;

type Pending = {
  readonly session: TranscriptSession;
  readonly held: TranscriptMessage[];
  player: Player | undefined;
};

/** Brings recorded sessions in, message by message. A repeated import brings in only what is new. */
export class TranscriptImporter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly deps: PlayerDependencies,
  ) {}

  async import(
    format: TranscriptFormat,
    items: AsyncIterable<TranscriptItem>,
    options: ImportOptions,
    caller: Caller,
  ): Promise<ImportResult> {
    const open = new Map<string, Pending>();
    const skipped: SkippedLine[] = [];
    for await (const item of items) {
      if (item.kind === 'skipped') skipped.push({ line: item.line, reason: item.reason });
      else if (item.kind === 'session')
        open.set(item.session.id, { session: item.session, held: [], player: undefined });
      else {
        const pending = open.get(item.sessionId);
        if (pending) await this.take(pending, item.message, options, caller);
      }
    }
    const imported: ImportedSession[] = [];
    for (const pending of open.values()) {
      if (!pending.player && pending.held.length === 0) continue;
      const player = pending.player ?? (await this.begin(pending, options, caller));
      await player.end();
      const ref = refOf(pending.session.id, options);
      imported.push({
        format,
        toolCalls: player.toolCalls,
        ...(await totalsOf(this.deps.log, this.sessions, ref)),
      });
    }
    return { sessions: imported, skipped };
  }

  /** Messages wait until one of them says which model answers: a session is opened with its model. */
  private async take(
    pending: Pending,
    message: TranscriptMessage,
    options: ImportOptions,
    caller: Caller,
  ): Promise<void> {
    if (pending.player) return pending.player.play(message);
    pending.held.push(message);
    const isKnown = modelOf(pending, options) !== undefined || message.role === 'assistant';
    if (isKnown || pending.held.length >= HOLD_MAX) await this.begin(pending, options, caller);
  }

  private async begin(pending: Pending, options: ImportOptions, caller: Caller): Promise<Player> {
    const { session, held } = pending;
    const ref = refOf(session.id, options);
    const player = new Player(ref, caller, this.deps, options.admit);
    const { state } = await this.sessions.load(ref);
    if (state.status === 'open') await player.resume();
    else {
      const input = {
        model: modelOf(pending, options) ?? UNKNOWN_MODEL,
        profile: options.profile,
        ...(options.window !== undefined && { window: options.window }),
        systemPrompt: session.system ?? '',
        tools: session.tools ?? [],
        ...(session.parentId !== undefined && { parentSessionId: SessionId(session.parentId) }),
        labels: {},
      };
      await this.deps.commands.execute(new OpenSession(ref, input, caller));
    }
    pending.player = player;
    for (const message of held.splice(0)) await player.play(message);
    return player;
  }
}

const refOf = (id: string, { tenant }: ImportOptions): SessionRef => ({ tenant, session: SessionId(id) });

const modelOf = ({ session, held }: Pending, { model }: ImportOptions): string | undefined =>
  model ?? session.model ?? held.find((message) => message.model !== undefined)?.model;
