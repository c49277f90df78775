import {
  ApproveErasure,
  ApproveErasureHandler,
  ChangeErasurePolicy,
  ChangeErasurePolicyHandler,
  ErasureRunner,
  endDueRetentions,
  guardErasures,
  HeldBackErasures,
  LedgerStore,
  PlaceLegalHold,
  PlaceLegalHoldHandler,
  ReleaseLegalHold,
  ReleaseLegalHoldHandler,
  RemoveRetention,
  RemoveRetentionHandler,
  RequestErasure,
  RequestErasureHandler,
  SessionStore,
  SetRetention,
  SetRetentionHandler,
  ShowProtection,
  ShowProtectionHandler,
  WithdrawErasure,
  WithdrawErasureHandler,
} from '@app/application';
import type { Erasure, RetentionDefault, RetentionMode } from '@app/domain';
import { Actor, ErasureId, IsoTime, MatterName, SessionId, TenantId } from '@app/kernel';
import { append, MemoryErasableKeys, open, openMemoryLog, textMessage } from '@app/testing';
import { DAY_MS, Promises } from './promises.js';

const TENANT = TenantId('acme');
const [OPERATOR, OTHER] = [{ actor: Actor('key:operator') }, { actor: Actor('key:other') }];
const WATCH = Actor('watch');

export type Step = 'fence' | 'destroy' | 'evict' | 'release';
export type Target = { readonly session: string } | { readonly subject: string } | 'tenant';

/** A process over a log and keys in memory, with the handlers that the API calls, beside the promises that it has made. */
export class Installation {
  now = Date.UTC(2026, 0, 1);
  readonly promises = new Map<string, Promises>();
  /** Content that was destroyed although it was promised to be kept. */
  readonly broken: string[] = [];
  private readonly clock = { now: () => IsoTime(new Date(this.now)) };
  private readonly log = openMemoryLog(this.clock);
  private readonly keys = new MemoryErasableKeys((session, subject) => this.destroyed(session, subject));
  private process = this.started();
  private messages = 0;

  async open(session: string, retention?: RetentionDefault): Promise<void> {
    const made = new Promises();
    this.promises.set(session, made);
    const opening = open({
      sessionId: SessionId(session),
      ...(retention && { openedAt: this.clock.now(), retention }),
    });
    await this.process.sessions.execute(refOf(session), opening, OPERATOR);
    if (!retention) return;
    made.newestAt = this.now;
    const { mode, days } = retention;
    made.period = { mode, days, until: this.now + days * DAY_MS };
  }

  async say(session: string, subject: string): Promise<void> {
    this.messages += 1;
    const message = textMessage(`m${this.messages}`, 'text');
    const said = append(message);
    await this.process.sessions.execute(
      refOf(session),
      { ...said, data: { ...said.data, sessionId: SessionId(session) } },
      OPERATOR,
    );
    this.keys.seal(TENANT, SessionId(session), subject);
    const made = this.of(session);
    made.newestAt = this.now;
    made.subjects.add('').add(subject);
  }

  keep(session: string, mode: RetentionMode, until: number, mayShorten: boolean): Promise<unknown> {
    const reason = mayShorten ? { reason: 'a reason' } : {};
    const input = { mode, until: IsoTime(new Date(until)), mayShorten, ...reason };
    return this.process.setRetention.execute(new SetRetention(refOf(session), input, OPERATOR));
  }

  remove(session: string, mayShorten: boolean): Promise<{ readonly removed: boolean }> {
    const input = { reason: 'a reason', mayShorten };
    return this.process.removeRetention.execute(new RemoveRetention(refOf(session), input, OPERATOR));
  }

  hold(session: string, matter: string): Promise<unknown> {
    const hold = { matter: MatterName(matter), reason: 'litigation' };
    return this.process.placeHold.execute(new PlaceLegalHold(refOf(session), hold, OPERATOR));
  }

  release(session: string, matter: string): Promise<unknown> {
    const release = { matter: MatterName(matter), reason: 'settled' };
    return this.process.releaseHold.execute(new ReleaseLegalHold(refOf(session), release, OPERATOR));
  }

  erase(target: Target) {
    const named =
      target === 'tenant'
        ? ({ scope: 'tenant' } as const)
        : 'session' in target
          ? ({ scope: 'session', session: SessionId(target.session) } as const)
          : ({ scope: 'subject', subject: target.subject } as const);
    return this.process.requestErasure.execute(
      new RequestErasure(TENANT, { target: named, reason: 'asked for' }, OPERATOR),
    );
  }

  async approve(erasure: string): Promise<void> {
    await this.process.approve.execute(new ApproveErasure(TENANT, ErasureId(erasure), OTHER));
  }

  async withdraw(erasure: string): Promise<void> {
    await this.process.withdraw.execute(
      new WithdrawErasure(TENANT, { erasure: ErasureId(erasure), reason: 'a reason' }, OPERATOR),
    );
  }

  async require(people: 1 | 2): Promise<void> {
    await this.process.policy.execute(new ChangeErasurePolicy(TENANT, people, OPERATOR));
  }

  show(session: string) {
    return this.process.show.execute(new ShowProtection(refOf(session)));
  }

  /** Looks once at all sessions, as each minute does; the rows say that all are due. */
  async watch(): Promise<void> {
    const { sessions, heldBack } = this.process;
    const due = [...this.promises.keys()].map((session) => ({ ...refOf(session), revision: 0 }));
    const errors: unknown[] = [];
    await endDueRetentions({
      ...{ sessions, worker: WATCH, clock: this.clock },
      readModels: {
        dueRetentions: async function* () {
          yield* due;
        },
      },
      erase: (ref, actor) => heldBack.eraseAfterRetention(ref, actor),
      retry: (tenant) => heldBack.retry(tenant),
      onError: (error) => errors.push(error),
    });
    if (errors.length > 0) throw errors[0];
    for (const made of this.promises.values()) made.record(this.now);
  }

  async erasures(): Promise<readonly Erasure[]> {
    const { ledger } = await this.process.ledgers.load(TENANT);
    return [...ledger.erasures.values()];
  }

  /** Sessions that an erasure would destroy content of. */
  concernedBy({ target }: Pick<Erasure, 'target'>): readonly Promises[] {
    return [...this.promises].flatMap(([session, made]) => {
      if (target.scope === 'session') return target.session === session ? [made] : [];
      const isConcerned =
        target.scope === 'tenant' ? made.subjects.size > 0 : made.subjects.has(target.subject);
      return isConcerned ? [made] : [];
    });
  }

  of(session: string): Promises {
    const made = this.promises.get(session);
    if (!made) throw new RangeError(`${session} is open`);
    return made;
  }

  /** Ends the process at the next call of a step, before or behind its effect, and starts another one. */
  async killedAt(step: Step, isBehind: boolean, work: () => Promise<unknown>): Promise<void> {
    const { keys } = this;
    const original = keys[step].bind(keys) as (...given: readonly unknown[]) => Promise<unknown>;
    let isOver = false;
    Object.assign(keys, {
      [step]: async (...given: readonly unknown[]) => {
        if (isOver) return original(...given);
        isOver = true;
        if (isBehind) await original(...given);
        throw new Error('killed');
      },
    });
    await work().catch(() => undefined);
    Object.assign(keys, { [step]: original });
    this.process = this.started();
    await this.process.runner.resume();
    await this.process.heldBack.retry(TENANT);
  }

  private destroyed(session: string, subject: string): void {
    const made = this.of(session);
    if (made.isProtected(this.now)) this.broken.push(`${session} ${subject}`);
    made.subjects.delete(subject);
    if (subject === '') made.subjects.clear();
  }

  private started() {
    const { clock, keys } = this;
    const sessions = new SessionStore(this.log.log);
    const ledgers = new LedgerStore(this.log.tenantLog);
    const guard = guardErasures({ sessions, clock, concerned: keys.concerned });
    const runner = new ErasureRunner({ ledgers, keys, sessions, guard, clock, places: [] });
    const requestErasure = new RequestErasureHandler({ ledgers, runner, keys, sessions, clock });
    const commands = { execute: (command: RequestErasure) => requestErasure.execute(command) };
    // The watch dispatches this command alone.
    const heldBack = new HeldBackErasures(ledgers, runner, commands as never);
    return {
      ...{ sessions, ledgers, runner, requestErasure, heldBack },
      setRetention: new SetRetentionHandler({ sessions, clock, erasures: heldBack, keys }),
      removeRetention: new RemoveRetentionHandler({ sessions, clock, erasures: heldBack }),
      placeHold: new PlaceLegalHoldHandler({ sessions, clock, keys }),
      releaseHold: new ReleaseLegalHoldHandler({ sessions, clock, erasures: heldBack }),
      approve: new ApproveErasureHandler({ ledgers, runner, clock }),
      withdraw: new WithdrawErasureHandler({ ledgers, clock }),
      policy: new ChangeErasurePolicyHandler({ ledgers, clock }),
      show: new ShowProtectionHandler({ sessions, clock }),
    };
  }
}

const refOf = (session: string) => ({ tenant: TENANT, session: SessionId(session) });
