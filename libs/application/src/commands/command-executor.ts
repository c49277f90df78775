import type { Command } from '@nestjs/cqrs';

/** Executes commands; Nest's `CommandBus` is one. */
export type CommandExecutor = { execute<Result>(command: Command<Result>): Promise<Result> };
