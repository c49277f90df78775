import type { TenantId } from '@app/kernel';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Exponential backoff for witnesses, or for witnesses of one log: each pause is about twice the previous one. */
export class Backoff {
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
