import { setTimeout as delay } from 'node:timers/promises';
import type { TenantId } from '@app/kernel';
import {
  type DueHead,
  type DueHeads,
  type SubmitToWitness,
  type TransparencyLogs,
  type WitnessedLogs,
  WitnessUnreachable,
} from '@app/ports';
import { formatVerifierKey, hasQuorum, type Policy, type VerifierKey } from '@app/tlog';
import { submitHead, WitnessRefused } from './submit-head.js';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Exponential backoff for witnesses, or for witnesses of one log: each pause is about twice the previous one. */
class Backoff {
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(
    /** Milliseconds of a monotonic clock. */
    private readonly now: () => number = () => performance.now(),
    /** A number from 0 to below 1. */
    private readonly random: () => number = Math.random,
  ) {}

  mayTry(witness: string, tenant?: TenantId): boolean {
    return (this.#pauses.get(placeOf(witness, tenant))?.until ?? 0) <= this.now();
  }

  failed(witness: string, tenant?: TenantId): void {
    const place = placeOf(witness, tenant);
    const failures = (this.#pauses.get(place)?.failures ?? 0) + 1;
    const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
    this.#pauses.set(place, { failures, until: this.now() + pause * (0.75 + this.random() / 2) });
  }

  worked(witness: string, tenant: TenantId): void {
    this.#pauses.delete(placeOf(witness));
    this.#pauses.delete(placeOf(witness, tenant));
  }
}

/** Names hold no spaces. */
const placeOf = (witness: string, tenant?: TenantId): string => `${witness} ${tenant ?? ''}`;

/** A witness to which heads are submitted. */
type Witness = { readonly name: string; readonly key: VerifierKey; readonly url: string };

type WitnessRoundsOptions = {
  /** The witnesses and their quorum. */
  readonly policy: Pick<Policy, 'witnesses' | 'groups' | 'quorum'>;
  readonly logs: WitnessedLogs;
  readonly proofs: TransparencyLogs['proofs'];
  readonly submit: SubmitToWitness;
  /** Called for each answer. @param isNew whether the answer before was none of this kind. */
  readonly onAnswer: (witness: string, problem: string | undefined, isNew: boolean) => void;
  /** Called where the database fails, after which the work goes on. */
  readonly onError: (error: unknown) => void;
};

/** Milliseconds between two looks for new heads. */
const LOOK_MS = 500;
/** Until the next round of a log begins although a witness that the quorum does not need is still silent. */
const ROUND_MS = 2_000;
/** Maximum number of concurrent requests to one witness. */
const REQUESTS_MAX = 8;

/**
 * Submits the newest heads of all logs to the witnesses, in rounds: those of one round are asked about the same head, so that
 * their cosignatures make a quorum while the log grows. A witness that fails is left alone for a while that doubles; nothing
 * here delays a log or another witness.
 */
export class WitnessRounds {
  readonly #witnesses: readonly Witness[];
  readonly #backoff = new Backoff();
  /** Logs in a round. */
  readonly #rounds = new Set<TenantId>();
  /** Logs that a witness is asked about. */
  readonly #asked = new Map<string, Set<TenantId>>();

  constructor(private readonly options: WitnessRoundsOptions) {
    this.#witnesses = options.policy.witnesses.flatMap(({ name, key, url }) =>
      url === undefined ? [] : [{ name, key, url }],
    );
  }

  /** Works until `signal` aborts; of all processes on one database one does it at a time. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#witnesses.length === 0) return;
    while (!signal.aborted)
      try {
        await this.options.logs.alone(signal, (due) => this.#look(due, signal));
      } catch (error) {
        if (!signal.aborted) this.options.onError(error);
        await pause(LOOK_MS, signal);
      }
  }

  async #look(heads: DueHeads, signal: AbortSignal): Promise<void> {
    const running = new Set<Promise<void>>();
    // The lock is given back after the last request.
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    try {
      while (!signal.aborted) {
        for (const [tenant, due] of await this.#due(heads)) {
          const round = this.#round(tenant, due, until);
          running.add(round);
          void round.finally(() => running.delete(round));
        }
        await pause(LOOK_MS, signal);
      }
    } finally {
      stop.abort();
      await Promise.all(running);
    }
  }

  /** Returns the witnesses to ask about each log, and about which head. */
  async #due(heads: DueHeads): Promise<ReadonlyMap<TenantId, readonly (readonly [Witness, DueHead])[]>> {
    const found = new Map<TenantId, (readonly [Witness, DueHead])[]>();
    for (const witness of this.#witnesses) {
      if (!this.#backoff.mayTry(witness.name)) continue;
      let free = REQUESTS_MAX - this.#askedAbout(witness).size;
      for (const head of await heads(formatVerifierKey(witness.key))) {
        const { tenant } = head;
        const isBusy = this.#rounds.has(tenant) || this.#askedAbout(witness).has(tenant);
        if (free === 0 || isBusy || !this.#backoff.mayTry(witness.name, tenant)) continue;
        free -= 1;
        found.set(tenant, [...(found.get(tenant) ?? []), [witness, head]]);
      }
    }
    return found;
  }

  /** Asks witnesses about one head of a log. Never rejects. */
  async #round(
    tenant: TenantId,
    due: readonly (readonly [Witness, DueHead])[],
    signal: AbortSignal,
  ): Promise<void> {
    // The log may have grown between two reads.
    const head = due.map(([, one]) => one).reduce((one, other) => (other.size > one.size ? other : one));
    this.#rounds.add(tenant);
    const end = (): boolean => this.#rounds.delete(tenant);
    const { policy } = this.options;
    const cosigned = new Set<string>();
    const over = new AbortController();
    if (hasQuorum(policy, [])) void pause(ROUND_MS, over.signal).then(end);
    await Promise.all(
      due.map(async ([witness, { cosignedSize }]) => {
        if (await this.#ask(witness, { ...head, cosignedSize }, signal)) cosigned.add(witness.name);
        if (cosigned.size > 0 && !hasQuorum(policy, []) && hasQuorum(policy, cosigned)) end();
      }),
    );
    over.abort();
    end();
  }

  /** Whether the witness has cosigned. Never rejects. */
  async #ask(witness: Witness, head: DueHead, signal: AbortSignal): Promise<boolean> {
    const { name, key } = witness;
    const asked = this.#askedAbout(witness);
    asked.add(head.tenant);
    try {
      const line = await submitHead(this.options, witness, head, signal);
      await this.options.logs.cosigned(head, formatVerifierKey(key), line);
      this.#backoff.worked(name, head.tenant);
      this.options.onAnswer(name, undefined, false);
      return true;
    } catch (error) {
      if (!signal.aborted) await this.#failed(witness, head, error);
      return false;
    } finally {
      asked.delete(head.tenant);
    }
  }

  async #failed({ name, key }: Witness, head: DueHead, error: unknown): Promise<void> {
    const { logs, onAnswer, onError } = this.options;
    // A refusal is about one log; a witness that does not answer is so for all of them.
    if (error instanceof WitnessRefused) this.#backoff.failed(name, head.tenant);
    else if (error instanceof WitnessUnreachable) this.#backoff.failed(name);
    else {
      this.#backoff.failed(name, head.tenant);
      onError(error);
      return;
    }
    try {
      onAnswer(name, error.message, await logs.failed(head, formatVerifierKey(key), error.message));
    } catch (failure) {
      onError(failure);
    }
  }

  #askedAbout({ name }: Witness): Set<TenantId> {
    const known = this.#asked.get(name);
    if (known) return known;
    const asked = new Set<TenantId>();
    this.#asked.set(name, asked);
    return asked;
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
