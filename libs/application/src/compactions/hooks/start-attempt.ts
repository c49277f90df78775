import type { Actor, CompactionId } from '@app/kernel';
import type { Clock, Summarizer, SummarizerChain, SummarizerChoice } from '@app/ports';
import { CancelCompaction } from '../../commands/cancel-compaction.js';
import type { CommandExecutor } from '../../commands/command-executor.js';
import { FailCompaction } from '../../commands/fail-compaction.js';
import { StartCompaction } from '../../commands/start-compaction.js';
import { isUnderWay } from '../../sessions/await-outcome.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { HOOK_FAILED, type HookCalls } from './hook-calls.js';

/** An attempt that runs, its summarizer, and whether the chain has another one behind it. */
export type Started = {
  readonly attempt: number;
  readonly summarizer: Summarizer;
  readonly hasNext: boolean;
};

/** A summary for one input alone: where there is another by now, nothing is started. */
type Given = { readonly summarizer: Summarizer; readonly inputHash: string };

/** How often hooks are asked anew for a session that goes on while they think; then it is compacted without them, or not at all. */
const ASKED_MAX = 3;

type StarterParts = {
  readonly sessions: SessionStore;
  readonly commands: CommandExecutor;
  readonly summarizers: SummarizerChoice;
  readonly worker: Actor;
  readonly clock: Clock;
  readonly hooks: HookCalls | undefined;
};

/** Starts attempts of compactions, the first of them as the hooks want it. */
export class AttemptStarter {
  constructor(private readonly parts: StarterParts) {}

  /** Asks the hooks, and starts the next attempt; `undefined` where the compaction has ended, or is ended hereby. */
  async startAsHooksWant(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Started | undefined> {
    const { sessions, commands, clock, hooks } = this.parts;
    for (let asked = 0; hooks && asked < ASKED_MAX; asked += 1) {
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
    const detail = `hook ${closed} fails closed: the session went on during each of ${ASKED_MAX} answers`;
    const failure = { compactionId, error: { rule: HOOK_FAILED, detail }, now: clock.now() };
    await commands.execute(new FailCompaction(ref, failure, caller));
    return undefined;
  }

  /**
   * Starts the next attempt; `undefined` where the compaction has ended.
   *
   * @param asked the answer of the hooks; without it the summarizer receives the lines of the attempt before.
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
      ...{ compactionId, worker, now },
      summarizers: chain.map(({ identity }) => identity),
      ...(asked && { contextLines: asked.contextLines }),
      ...(asked?.given && { inputHash: asked.given.inputHash }),
    };
    const started = await commands.execute(new StartCompaction(ref, start, caller));
    const summarizer = started && chain[started.summarizer];
    if (!summarizer) return undefined;
    return { attempt: started.attempt, summarizer, hasNext: started.summarizer < chain.length - 1 };
  }

  /** `undefined` where the compaction has ended. */
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
