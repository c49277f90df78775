import type { Command, Query } from '@nestjs/cqrs';
import { answered } from './remote-error.js';
import type { AsJson } from './result-of.js';

type ResultOf<Message> =
  Message extends Command<infer Result> ? Result : Message extends Query<infer Result> ? Result : never;
/** Sends an instance of one class of commands or queries over HTTP; returns `undefined` for other instances. */
export type Mapping = (message: object) => Promise<unknown> | undefined;

/**
 * Maps a class of commands or queries to a call of the client. The types require the API's JSON answer to have the
 * shape of the local result.
 */
export const mapped =
  <Message extends object>(
    type: abstract new (...given: never[]) => Message,
    call: (message: Message) => Promise<AsJson<ResultOf<Message>>>,
  ): Mapping =>
  (message) =>
    message instanceof type ? call(message) : undefined;

/** Executes commands and queries by calls of a service. */
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
