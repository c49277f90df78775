import type { Answered, Message, ReportOverflowRequest } from '@palimpsest/client';
import { handOver, type Paired, pair, toolNames } from './mirrors.js';
import type { Context, SessionMirror, Turn } from './session-mirror.js';

/** Conversion of the messages of a framework. */
export type Form<Own> = {
  /** Converts a message of the framework; one without content becomes none. */
  readonly read: (own: Own) => readonly Message[];
  /** Converts a message that the service wrote; `names` are those of the called tools by the ID of the call. */
  readonly write: (message: Message, names: ReadonlyMap<string, string>) => readonly Own[];
};

/** One request of a framework to its model, which carries the context of a session in place of its history, and its answer. */
export class Exchange<Own> {
  readonly turn: Turn;
  private readonly paired: readonly Paired<Own>[];
  private context: Context | undefined;

  constructor(
    private readonly mirror: SessionMirror,
    readonly history: readonly Own[],
    readonly form: Form<Own>,
    rest: Omit<Turn, 'history'>,
  ) {
    this.paired = pair(history, form.read);
    this.turn = { ...rest, history: this.paired.map(({ message }) => message) };
  }

  /** Tokens that the prepared request leaves for the answer; `undefined` in an unlimited window. */
  get answerRoom(): number | undefined {
    return this.context?.answerRoom;
  }

  /** Returns the messages to send; `undefined` while the service fails: the framework's own go out. */
  async prepare(): Promise<Own[] | undefined> {
    this.context = await this.mirror.prepare(this.turn);
    return this.context && this.messagesOf(this.context);
  }

  /** Returns fewer messages to send, if the provider refused the prepared ones as too many. */
  async prepareAfter(problem: ReportOverflowRequest): Promise<Own[] | undefined> {
    const isTooLarge = this.context && (await this.mirror.overflowed(this.context, problem));
    return isTooLarge ? this.prepare() : undefined;
  }

  /** Appends the answer and its bill. */
  async record(answer: Answered): Promise<void> {
    await this.mirror.record(this.turn, answer, this.context);
  }

  /** Makes the request like {@link SessionMirror.carryOut}. */
  carryOut<Result>(
    make: (messages: Own[] | undefined) => PromiseLike<Result> | Result,
    answerOf: (result: Result) => Answered,
  ): Promise<Result> {
    const makeWith = (context: Context | undefined) => make(context && this.messagesOf(context));
    return this.mirror.carryOut(this.turn, makeWith, answerOf);
  }

  private messagesOf({ messages }: Context): Own[] {
    const names = toolNames(this.turn.history);
    return [...handOver(messages, this.paired, (message) => this.form.write(message, names))];
  }
}
