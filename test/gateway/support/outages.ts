import { AppError, type ErrorCode } from '@app/kernel';
import { type GatewayStore, openStore } from './gateway-process.js';

type State = 'available' | 'failing' | 'silent';

/** A log and an index of conversations that can be made unavailable; calls to silent ones are carried out afterwards. */
export class Outages {
  readonly store: GatewayStore;
  #log: State = 'available';
  #database: State = 'available';
  #waiting: (() => void)[] = [];

  constructor() {
    const { log, conversations, subscriptions, ...store } = openStore();
    const logGate = this.gate('event-store-unavailable', () => this.#log);
    this.store = {
      ...store,
      log: gated(log, logGate),
      subscriptions: gated(subscriptions, logGate),
      conversations: gated(
        conversations,
        this.gate('postgres-unavailable', () => this.#database),
      ),
    };
  }

  set(what: 'log' | 'database', state: State): void {
    if (what === 'log') this.#log = state;
    else this.#database = state;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const retry of waiting) retry();
  }

  private gate(code: ErrorCode, state: () => State) {
    return async (): Promise<void> => {
      while (state() === 'silent') await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (state() === 'failing') throw new AppError(code, 'it does not answer');
    };
  }
}

const GATED: ReadonlySet<PropertyKey> = new Set(['append', 'head', 'find', 'remember', 'named', 'name']);
const GATED_READS: ReadonlySet<PropertyKey> = new Set(['readForwards', 'readBackwards']);

const gated = <Target extends object>(target: Target, gate: () => Promise<void>): Target =>
  new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = (given: readonly unknown[]) => Reflect.apply(member, target, given);
      if (GATED_READS.has(name))
        return async function* (...given: readonly unknown[]) {
          await gate();
          yield* call(given);
        };
      return GATED.has(name)
        ? async (...given: readonly unknown[]) => {
            await gate();
            return call(given);
          }
        : (...given: readonly unknown[]) => call(given);
    },
  });
