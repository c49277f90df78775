import type { Command, Query } from '@nestjs/cqrs';
import { answered } from './remote-error.js';
import type { AsJson } from './result-of.js';

type ResultOf<Message> =
  Message extends Command<infer Result> ? Result : Message extends Query<infer Result> ? Result : never;
/** What a class of commands or queries becomes over HTTP; `undefined` for an instance of another. */
export type Mapping = (message: object) => Promise<unknown> | undefined;

/**
 * Says which call carries out the commands, or answers the queries, of a class. The API answers with exactly their
 * results, as JSON, and this holds the types of the client to that.
 */
export const mapped =
  <Message extends object>(
    type: abstract new (...given: never[]) => Message,
    call: (message: Message) => Promise<AsJson<ResultOf<Message>>>,
  ): Mapping =>
  (message) =>
    message instanceof type ? call(message) : undefined;

/** Carries out commands, and answers queries, by calls of a service. */
export class RemoteBus {
  constructor(private readonly mappings: readonly Mapping[]) {}

  execute<Result>(message: Command<Result> | Query<Result>): Promise<Result>;
  execute(message: object): Promise<unknown> {
    for (const call of this.mappings) {
      const answer = call(message);
      if (answer) return answered(answer);
    }
    throw new TypeError(`the API has no route for ${message.constructor.name}`);
  }
}
