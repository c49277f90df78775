import {
  type Answered,
  type ComposedByReference,
  hasCode,
  type Message,
  type PalimpsestClient,
  type ReportOverflowRequest,
} from '@palimpsest/client';
import { Branch } from './branch.js';
import { commonOf, HistoryDigests, isSame, makeIds, type Said } from './identity.js';
import { type AdapterOptions, clientOf, keyOf, openInputOf, TIMEOUT_MS } from './options.js';
import { type Outage, type OutageCount, outageOf } from './outage.js';
import { hasContent } from './parts.js';
import { type Known, type Piece, piecesOf, referencedIn } from './pieces.js';
import { problemOf } from './problem.js';

/** Milliseconds that messages wait for the next request of the agent, which takes them along. */
const NEXT_REQUEST_MS = 100;

/** The next request of a framework to its model. */
export type Turn = {
  /** The whole history of the framework, oldest first, without the system prompt. */
  readonly history: readonly Message[];
  readonly system?: string | undefined;
  /** Tools in Anthropic's form: `name`, `description`, `input_schema`. */
  readonly tools?: readonly object[];
  /** Model of the request, unless the options name one. */
  readonly model?: string | undefined;
};
/** The context to send instead of the history. */
export type Context = {
  readonly session: string;
  /** ID to which the bill of the answer belongs. */
  readonly requestId: string;
  readonly messages: readonly Piece[];
  /** Tokens that are left for the answer; absent in an unlimited window. */
  readonly answerRoom?: number;
  readonly composed: ComposedByReference;
};

/**
 * Keeps a session of the service equal to the history of an agent: appends new messages once and in order, composes the
 * context of each request and reports the bill of each answer. A history that was edited continues in a fork. While the
 * service fails, messages are kept and appended later.
 */
export class SessionMirror {
  private readonly client: PalimpsestClient;
  private readonly branches: Branch[] = [];
  /** The histories of turns as they were prepared: a framework may change messages in place before it records the answer. */
  private readonly said = new WeakMap<Pick<Turn, 'history'>, readonly Said[]>();
  private readonly digests = new HistoryDigests();
  private readonly outage: Outage;
  /** Ends when everything that was begun has ended: calls follow one another. */
  private last: Promise<unknown> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private sending: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: AdapterOptions,
    outages?: OutageCount,
  ) {
    this.client = clientOf(options);
    this.outage = outageOf(options, outages);
  }

  /** Number of messages that the service does not have yet. */
  get missing(): number {
    return this.branches.reduce((sum, { missing }) => sum + missing, 0);
  }

  /**
   * Appends the new messages of the history and composes the context of the next request.
   *
   * @returns `undefined` while the service fails: the agent sends its own history.
   * @throws {PalimpsestError} `request-refused`, `context-overflow`; every failure if the adapter does not fail open.
   */
  prepare(turn: Turn): Promise<Context | undefined> {
    const branch = this.branchFor(turn);
    return this.attempt(async () => {
      for (const one of this.branches) {
        if (one === branch) break;
        await one.drain();
      }
      const composed = await this.compose(branch, turn);
      await this.drain();
      return this.contextOf(branch, composed, turn.history);
    });
  }

  /** Appends the new messages of the history: with the next request, or shortly later without one. */
  append(turn: Pick<Turn, 'history'>): void {
    this.branchFor(turn);
    this.sendSoon();
  }

  /** Returns the messages that the service has from an earlier process; none while it fails. */
  async load(): Promise<readonly Message[]> {
    const { session } = this.options;
    const messages = await this.attempt(async () => {
      const found: Message[] = [];
      try {
        for await (const { role, content, synthetic } of this.client.sessions.export(session))
          if (synthetic === undefined) found.push({ role, content });
      } catch (error) {
        if (!hasCode(error, 'session-not-found')) throw error;
      }
      return found;
    });
    return messages ?? [];
  }

  /** Sends what the agent's next request does not send before. Keeps the process alive until then. */
  private sendSoon(): void {
    this.sending ??= setTimeout(() => {
      this.sending = undefined;
      if (this.missing > 0) void this.attempt(() => this.drain()).catch(() => {});
    }, NEXT_REQUEST_MS);
  }

  /**
   * Makes a request of the agent: with its context, and once more with a smaller one if the provider finds it too large. Then
   * records the answer.
   *
   * @param make is given `undefined` while the service fails: the framework's own history goes out.
   */
  async carryOut<Result>(
    turn: Turn,
    make: (context: Context | undefined) => PromiseLike<Result> | Result,
    answerOf: (result: Result) => Answered,
  ): Promise<Result> {
    let context = await this.prepare(turn);
    let result: Result;
    try {
      result = await make(context);
    } catch (error) {
      if (!context || !(await this.overflowed(context, problemOf(error)))) throw error;
      context = await this.prepare(turn);
      if (!context) throw error;
      result = await make(context);
    }
    await this.record(turn, answerOf(result), context);
    return result;
  }

  /** Appends an answer and its bill, which belongs to `context`. `turn` is the one that was answered. */
  async record(turn: Pick<Turn, 'history'>, answer: Answered, context?: Context): Promise<void> {
    const { messages, usage, stopReason } = answer;
    const branch = this.branchFor(turn);
    // Without a context, the answer belongs to a request that the service does not know.
    const bill = usage && context && { usage: { ...usage, requestId: context.requestId } };
    branch.add(messages.filter(hasContent), { ...bill, ...(stopReason !== undefined && { stopReason }) });
    if (stopReason === undefined) this.sendSoon();
    else await this.attempt(() => this.drain());
  }

  /** Compacts the session now, if that helps; `false` while the service fails. */
  async compact(): Promise<boolean> {
    const branch = this.branches.at(-1);
    const done = await this.attempt(async () => {
      await this.drain();
      if (!branch) return false;
      const { compactionId } = await this.client.compactions.request(branch.session);
      await this.client.compactions.outcome(branch.session, compactionId);
      return true;
    });
    return done ?? false;
  }

  /** Reports that the provider refused a request; `true` if another {@link prepare} gives a smaller one. */
  async overflowed(context: Context, error: ReportOverflowRequest): Promise<boolean> {
    const answer = await this.attempt(() => this.client.sessions.reportOverflow(context.session, error));
    return answer !== undefined && answer.outcome !== 'not-an-overflow';
  }

  /** Appends everything that is missing, at once also during an outage. Resolves with whether the service has everything. */
  async flush(): Promise<boolean> {
    this.outage.forgetPause();
    await this.attempt(() => this.drain());
    return this.missing === 0;
  }

  /** Returns the branch that ends where the history goes on; creates one for a history that was edited. */
  private branchFor(turn: Pick<Turn, 'history'>): Branch {
    const { history } = turn;
    const said = this.said.get(turn) ?? this.digests.of(history);
    this.said.set(turn, said);
    let best: { branch: Branch; common: number } | undefined;
    for (const branch of this.branches) {
      const common = commonOf(branch.said, said, isSame);
      const isWhole = common === branch.ids.length;
      const isBetter = best === undefined || common > best.common;
      if (isBetter || (common === best?.common && isWhole)) best = { branch, common };
    }
    const rest = history.slice(best?.common ?? 0);
    if (best && best.common === best.branch.ids.length) {
      best.branch.add(rest);
      return best.branch;
    }
    const branch = best ? best.branch.leave(best.common, rest) : this.firstBranch(rest);
    this.branches.push(branch);
    return branch;
  }

  private firstBranch(history: readonly Message[]): Branch {
    const { client, options } = this;
    const branch = new Branch({
      client,
      root: options.session,
      makeId: makeIds(keyOf(options), options.session),
      open: async (session) => void (await client.sessions.open(openInputOf(options, session))),
    });
    branch.add(history);
    return branch;
  }

  /** Appends the last messages and composes. An input that is larger than the window goes out shortened: the agent cannot do better. */
  private async compose(branch: Branch, turn: Turn): Promise<ComposedByReference> {
    const { timeoutMs = TIMEOUT_MS } = this.options;
    const { sessions } = this.client;
    try {
      return await branch.drainWith(async (conversation) => {
        await this.declare(branch, turn);
        return sessions.appendAndCompose(branch.session, conversation, { timeoutMs });
      });
    } catch (error) {
      if (!hasCode(error, 'context-overflow')) throw error;
      return sessions.appendAndCompose(branch.session, { ladder: 'truncate' }, { timeoutMs });
    }
  }

  private async contextOf(
    { session, ids }: Branch,
    composed: ComposedByReference,
    history: readonly Message[],
  ): Promise<Context> {
    const { requestId, messages, notes, answerRoom } = composed;
    const known = new Map<string, Known>();
    for (const [own, message] of history.entries()) known.set(ids[own] ?? '', { message, own });
    // Another program may have appended to the session.
    for (const id of referencedIn(messages))
      if (!known.has(id)) known.set(id, { message: await this.client.sessions.message(session, id) });
    const isBound = notes.some(({ reason }) => reason === 'bound-to-changed-prefix');
    return {
      ...{ session, requestId, composed },
      messages: piecesOf(messages, (id) => known.get(id), !isBound),
      ...(answerRoom !== undefined && { answerRoom }),
    };
  }

  /** Origins precede the branches that leave them. */
  private async drain(): Promise<void> {
    for (const branch of this.branches) await branch.drain();
  }

  private declared = new Map<string, string>();

  /** Tells the service the system prompt, tools and model of the requests if they have changed. */
  private async declare(branch: Branch, { system = '', tools = [], model }: Turn): Promise<void> {
    const known = this.options.model === undefined && model !== undefined ? { model } : {};
    const change = { system, tools: tools.map((tool) => JSON.parse(JSON.stringify(tool))), ...known };
    const text = JSON.stringify(change);
    if (this.declared.get(branch.session) === text) return;
    await this.client.sessions.changeSettings(branch.session, change);
    this.declared.set(branch.session, text);
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const result = await this.inTurn(() => this.outage.during(work));
    if (this.missing > 0) {
      if (this.outage.isLasting) for (const branch of this.branches) branch.keepTimes();
      if (this.outage.isPassing) this.catchUpLater();
    }
    return result;
  }

  /** Runs `work` after everything that was begun earlier. */
  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** Tries again after the pause, also if the agent makes no further request. Does not keep the process alive. */
  private catchUpLater(): void {
    if (this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.attempt(() => this.drain()).catch(() => {});
    }, this.outage.remainingMs + 50);
    this.retry.unref();
  }
}
