import type { TenantId } from '@app/kernel';
import { Command, Query } from '@nestjs/cqrs';
import type { SessionRef } from './sessions/session-ref.js';
import type { Caller } from './sessions/session-store.js';

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
