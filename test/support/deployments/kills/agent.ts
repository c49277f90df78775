import { randomUUID } from 'node:crypto';
import { PalimpsestClient, PalimpsestError } from '@app/client';
import type { Records } from './records.js';

/** Tokens: small, so that sessions are compacted while things die. */
const WINDOW = 4_000;
const TURNS_A_SESSION = 12;
/** Every so many appends one is given up at its first failure, as by a client that has no time. */
const HASTY_EVERY = 5;
const ATTEMPT_MS = 30_000;

export type AgentOptions = {
  readonly url: string;
  readonly apiKey: string;
  /** Its sessions are named after it. */
  readonly name: string;
  readonly records: Records;
};

/** An agent that continues one session after the other, and keeps the answers it got. */
export class Agent {
  private readonly patient: PalimpsestClient;
  private readonly hasty: PalimpsestClient;
  private sent = 0;
  /** Occupancy of its session, from the answer to its last append. */
  private occupancy = 0;

  constructor(private readonly options: AgentOptions) {
    const { url, apiKey } = options;
    this.patient = new PalimpsestClient({ url, apiKey, timeoutMs: ATTEMPT_MS });
    this.hasty = new PalimpsestClient({ url, apiKey, timeoutMs: ATTEMPT_MS, retries: 0 });
  }

  /** Works until `isOver` says so, and finishes the turn. */
  async work(isOver: () => boolean): Promise<void> {
    for (let number = 0; !isOver(); number += 1) {
      const session = `${this.options.name}-${number}`;
      const opened = await this.persist('open', (options) =>
        this.patient.sessions.open({ session, window: WINDOW }, options),
      );
      if (!opened) continue;
      this.options.records.opened(session);
      this.occupancy = 0;
      for (let turn = 0; turn < TURNS_A_SESSION && !isOver(); turn += 1) await this.turn(session, turn);
    }
  }

  private async turn(session: string, turn: number): Promise<void> {
    const marks = ['q', 'a'].map((part) => `«${session}/${turn}/${part}»`);
    const messages = marks.map((mark, at) => ({
      role: at === 0 ? ('user' as const) : ('assistant' as const),
      content: `${mark} ${'the build of the project fails, and its test must pass again. '.repeat(24)}`,
    }));
    const conversation = {
      messages,
      stopReason: 'end_turn',
      usage: {
        inputTokens: this.occupancy + 350,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 300,
      },
    };
    this.sent += 1;
    const isHasty = this.sent % HASTY_EVERY === 0;
    const answer = isHasty
      ? await this.tryOnce(() => this.hasty.sessions.append(session, conversation))
      : await this.persist('append', (options) =>
          this.patient.sessions.append(session, conversation, options),
        );
    this.occupancy = answer?.occupancy ?? this.occupancy;
    const isAcknowledged = answer !== undefined;
    this.options.records.sent(session, { marks, fate: isAcknowledged ? 'acknowledged' : 'unknown' });
    if (turn % 4 === 3)
      await this.persist('compose', (options) => this.patient.sessions.compose(session, {}, options));
  }

  /** The same write under the same key, until there is an answer; nothing where that is not the one hoped for. */
  private async persist<Answer>(
    what: string,
    write: (options: { idempotencyKey: string; timeoutMs: number }) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const options = { idempotencyKey: randomUUID(), timeoutMs: ATTEMPT_MS };
    for (;;) {
      try {
        return await write(options);
      } catch (error) {
        if (this.isSurprise(error, what)) return undefined;
      }
    }
  }

  private async tryOnce<Answer>(write: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await write();
    } catch (error) {
      this.isSurprise(error, 'append');
      return undefined;
    }
  }

  private isSurprise(error: unknown, what: string): boolean {
    if (error instanceof PalimpsestError && isOutage(error)) {
      this.options.records.failed(error.code);
      return false;
    }
    const said = error instanceof PalimpsestError ? `${error.status} ${error.code}: ${error.detail}` : error;
    this.options.records.surprises.push(`${what}: ${said}`);
    return true;
  }
}

/** No answer, a temporary error, or the first request of the same key has not ended. */
const isOutage = ({ status, code }: PalimpsestError): boolean =>
  status === undefined
    ? code === 'service-unreachable'
    : status === 503 || status === 507 || code === 'request-in-progress';
