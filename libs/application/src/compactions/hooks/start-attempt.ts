import type { AttemptError, SessionState } from '@app/domain';
import type { Actor, CompactionId } from '@app/kernel';
import type { Clock, Summarizer, SummarizerChain, SummarizerChoice } from '@app/ports';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { inputHash } from '../input-hash.js';
import { type InChain, nextInChain } from '../summaries/next-in-chain.js';
import { HOOK_FAILED, type HookCalls } from './hook-calls.js';

/** An attempt that is under way, and what summarizes in it. */
export type Started = InChain & { readonly attempt: number };

/** A summary for one input alone: where there is another by now, nothing is started. */
type Given = { readonly summarizer: Summarizer; readonly inputHash: string };

/** How often hooks are asked anew for a session that goes on while they think; then it is compacted without them, or not at all. */
const ASKED_MAX = 3;

/** Starts attempts of compactions, the first of them as the hooks want it. */
export class AttemptStarter {
  constructor(
    private readonly sessions: SessionStore,
    private readonly summarizers: SummarizerChoice,
    private readonly worker: Actor,
    private readonly clock: Clock,
    private readonly hooks: HookCalls | undefined,
  ) {}

  /** Asks the hooks, and starts the next attempt; `undefined` where the compaction has ended, or is ended hereby. */
  async startAsHooksWant(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Started | undefined> {
    for (let asked = 0; this.hooks && asked < ASKED_MAX; asked += 1) {
      const answer = await this.hooks.before(ref, compactionId, signal);
      if (answer.decision === 'continue') {
        return this.start(ref, compactionId, caller, { contextLines: answer.contextLines });
      }
      if (answer.decision === 'fail') return this.fail(ref, compactionId, answer.error, caller);
      if (answer.decision === 'cancel') {
        const data = { sessionId: ref.session, compactionId, reason: answer.reason, by: 'hook' as const };
        await this.sessions.execute(ref, { type: 'CancelCompaction', data }, caller);
        return undefined;
      }
      const started = await this.start(ref, compactionId, caller, { contextLines: [], given: answer });
      if (started || !(await isUnderWay(this.sessions, ref, compactionId))) return started;
    }
    const closed = this.hooks?.failingClosed;
    if (closed !== undefined) {
      const detail = `hook ${closed} fails closed: the session went on during each of ${ASKED_MAX} answers`;
      return this.fail(ref, compactionId, { rule: HOOK_FAILED, detail }, caller);
    }
    return this.start(ref, compactionId, caller, { contextLines: [] });
  }

  /** Ends the compaction without an attempt. */
  private async fail(
    ref: SessionRef,
    compactionId: CompactionId,
    error: AttemptError,
    caller: Caller,
  ): Promise<undefined> {
    const data = { sessionId: ref.session, compactionId, error, now: this.clock.now() };
    await this.sessions.execute(ref, { type: 'FailCompaction', data }, caller);
  }

  /**
   * Starts the next attempt; `undefined` where the compaction has ended.
   *
   * @param asked what hooks have answered; without it the summarizer is told what it was told in the attempt before.
   */
  async start(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    asked?: { readonly contextLines: readonly string[]; readonly given?: Given },
  ): Promise<Started | undefined> {
    const common = { sessionId: ref.session, compactionId, worker: this.worker, now: this.clock.now() };
    const chain = await this.chainFor(ref, compactionId, asked?.given?.summarizer);
    if (!chain) return undefined;
    let chosen: InChain | undefined;
    const { events } = await this.sessions.execute(
      ref,
      (state) => {
        chosen = nextInChain(chain, state.status === 'open' ? state.compaction : undefined);
        const { summarizer } = chosen;
        const contextLines = asked?.contextLines ?? contextLinesOf(state);
        const hash = inputHash(state, contextLines);
        if (asked?.given && asked.given.inputHash !== hash) return undefined;
        const data = { ...common, summarizer: summarizer.identity, inputHash: hash, contextLines };
        return { type: 'StartCompaction', data };
      },
      caller,
    );
    const started = events.find((event) => event.type === 'CompactionStarted');
    return started && chosen && { attempt: started.data.attempt, ...chosen };
  }

  /** `undefined` where the compaction has ended. */
  private async chainFor(
    ref: SessionRef,
    compactionId: CompactionId,
    given: Summarizer | undefined,
  ): Promise<SummarizerChain | undefined> {
    if (given) return [given];
    const { state } = await this.sessions.load(ref);
    if (state.status !== 'open' || state.compaction?.compactionId !== compactionId) return undefined;
    const { tenant } = ref;
    return this.summarizers.choose({ tenant, profile: state.compaction.profile, model: state.model });
  }
}

const contextLinesOf = (state: SessionState): readonly string[] =>
  (state.status === 'open' && state.compaction?.contextLines) || [];

/** Whether a compaction is asked for or has begun, and has no outcome yet. */
export const isUnderWay = async (
  sessions: SessionStore,
  ref: SessionRef,
  compactionId: CompactionId,
): Promise<boolean> => {
  const { state } = await sessions.load(ref);
  return state.status === 'open' && state.compaction?.compactionId === compactionId;
};
