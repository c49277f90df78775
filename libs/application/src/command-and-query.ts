import type { TenantId } from '@app/kernel';
import type { Command as NestCommand, Query as NestQuery } from '@nestjs/cqrs';
import type { SessionRef } from './sessions/session-ref.js';
import type { Caller } from './sessions/session-store.js';

// Nest's own classes have no members at run time, and to import them loads all of Nest: a fifth of the start of a command
// line that sends its commands to a service.
export type Command<Result> = NestCommand<Result>;
export const Command = class {} as typeof NestCommand;
export type Query<Result> = NestQuery<Result>;
export const Query = class {} as typeof NestQuery;

/** A command to one session, with what the caller asks for. */
export abstract class CommandOnSession<Input, Result> extends Command<Result> {
  constructor(
    readonly ref: SessionRef,
    readonly input: Input,
    readonly caller: Caller,
  ) {
    super();
  }
}

/** A command to one tenant, with what the caller asks for. */
export abstract class CommandOnTenant<Input, Result> extends Command<Result> {
  constructor(
    readonly tenant: TenantId,
    readonly input: Input,
    readonly caller: Caller,
  ) {
    super();
  }
}

/** A query of one session; `input` selects a part of it. */
export abstract class QueryOnSession<Result, Input = void> extends Query<Result> {
  constructor(
    readonly ref: SessionRef,
    readonly input: Input,
  ) {
    super();
  }
}

/** A query of one tenant; `input` selects a part of it. */
export abstract class QueryOnTenant<Result, Input = void> extends Query<Result> {
  constructor(
    readonly tenant: TenantId,
    readonly input: Input,
  ) {
    super();
  }
}

/** Executes commands; Nest's `CommandBus` is one. */
export type CommandExecutor = { execute<Result>(command: Command<Result>): Promise<Result> };
