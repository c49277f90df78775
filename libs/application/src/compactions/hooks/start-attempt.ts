import type { Actor, CompactionId } from '@app/kernel';
import type { Clock, Summarizer, SummarizerChain, SummarizerChoice } from '@app/ports';
import type { CommandExecutor } from '../../command-and-query.js';
import { FailCompaction } from '../../commands/attempts.js';
import { CancelCompaction } from '../../commands/compactions.js';
import { StartCompaction } from '../../commands/start-compaction.js';
import { isUnderWay } from '../../sessions/await-outcome.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { HOOK_FAILED, type HookCalls } from './hook-calls.js';

/** A running attempt, its summarizer, and whether the chain has another one after it. */
export type Started = {
  readonly attempt: number;
  readonly summarizer: Summarizer;
  readonly hasNext: boolean;
};

/** A summary of a hook for one input; nothing is started if the input has changed. */
type Given = { readonly summarizer: Summarizer; readonly inputHash: string };

/**
 * Maximum of hook calls for a session that changes meanwhile; then the compaction runs without hooks, or fails if one fails
 * closed.
 */
const HOOK_CALLS_MAX = 3;

type StarterParts = {
  readonly sessions: SessionStore;
  readonly commands: CommandExecutor;
  readonly summarizers: SummarizerChoice;
  readonly worker: Actor;
  readonly clock: Clock;
  readonly hooks: HookCalls | undefined;
};

/** Starts attempts of compactions; hooks are called before the first one. */
export class AttemptStarter {
  constructor(private readonly parts: StarterParts) {}

  /** Calls the hooks and starts the next attempt; `undefined` if the compaction has ended, possibly through this call. */
  async startAfterHooks(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Started | undefined> {
    const { sessions, commands, clock, hooks } = this.parts;
    for (let asked = 0; hooks && asked < HOOK_CALLS_MAX; asked += 1) {
      const answer = await hooks.before(ref, compactionId, signal);
      if (answer.decision === 'continue') {
        return this.start(ref, compactionId, caller, { contextLines: answer.contextLines });
      }
      if (answer.decision === 'fail') {
        const failure = { compactionId, error: answer.error, now: clock.now() };
        await commands.execute(new FailCompaction(ref, failure, caller));
        return undefined;
      }
      if (answer.decision === 'cancel') {
        const request = { compactionId, reason: answer.reason, by: 'hook' } as const;
        await commands.execute(new CancelCompaction(ref, request, caller));
        return undefined;
      }
      const started = await this.start(ref, compactionId, caller, { contextLines: [], given: answer });
      if (started || !(await isUnderWay(sessions, ref, compactionId))) return started;
    }
    const closed = hooks?.failingClosed;
    if (closed === undefined) return this.start(ref, compactionId, caller, { contextLines: [] });
    const detail = `hook ${closed} fails closed: the session went on during each of ${HOOK_CALLS_MAX} answers`;
    const failure = { compactionId, error: { rule: HOOK_FAILED, detail }, now: clock.now() };
    await commands.execute(new FailCompaction(ref, failure, caller));
    return undefined;
  }

  /**
   * Starts the next attempt; `undefined` if the compaction has ended.
   *
   * @param asked answer of the hooks; without it, the summarizer receives the context lines of the previous attempt.
   */
  async start(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    asked?: { readonly contextLines: readonly string[]; readonly given?: Given },
  ): Promise<Started | undefined> {
    const { commands, worker, clock } = this.parts;
    const now = clock.now();
    const chain = await this.chainFor(ref, compactionId, asked?.given?.summarizer);
    if (!chain) return undefined;
    const start = {
      compactionId,
      worker,
      now,
      summarizers: chain.map(({ identity }) => identity),
      ...(asked && { contextLines: asked.contextLines }),
      ...(asked?.given && { inputHash: asked.given.inputHash }),
    };
    const started = await commands.execute(new StartCompaction(ref, start, caller));
    const summarizer = started && chain[started.summarizer];
    if (!summarizer) return undefined;
    return { attempt: started.attempt, summarizer, hasNext: started.summarizer < chain.length - 1 };
  }

  /** Returns `undefined` if the compaction has ended. */
  private async chainFor(
    ref: SessionRef,
    compactionId: CompactionId,
    given: Summarizer | undefined,
  ): Promise<SummarizerChain | undefined> {
    if (given) return [given];
    const { state } = await this.parts.sessions.load(ref);
    if (state.status !== 'open' || state.compaction?.compactionId !== compactionId) return undefined;
    const { tenant } = ref;
    return this.parts.summarizers.choose({ tenant, profile: state.compaction.profile, model: state.model });
  }
}
