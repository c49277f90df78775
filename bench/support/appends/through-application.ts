import {
  AppendMessages,
  AppendMessagesHandler,
  OpenSession,
  OpenSessionHandler,
  SessionStore,
} from '@app/application';
import { NO_MODELS } from '@app/domain';
import { Actor, IsoTime } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule } from '@nestjs/cqrs';
import { constantCounter } from '../sessions/texts.js';
import { MODEL } from '../sessions/turn-messages.js';
import type { Appender } from './appender.js';

const caller = { actor: Actor('key:bench') };
const settings = { model: MODEL, profile: 'core', systemPrompt: '', tools: [], labels: {} };

/** Appends as the service does: by commands over the bus, in a process that does nothing else. */
export const openApplication = async (log: EventLog): Promise<Appender> => {
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.createApplicationContext(moduleOn(log), options);
  const commands = app.get(CommandBus);
  return {
    prepare: async (ref, messages) => {
      await commands.execute(new OpenSession(ref, settings, caller));
      return messages.map((message) => async () => {
        await commands.execute(new AppendMessages(ref, [message], caller));
      });
    },
    close: () => app.close(),
  };
};

const clock = { now: () => IsoTime(new Date()) };
const noModels = { catalogFor: () => Promise.resolve(NO_MODELS) };

const moduleOn = (log: EventLog) => {
  CommandHandler(OpenSession)(OpenSessionHandler);
  CommandHandler(AppendMessages)(AppendMessagesHandler);
  const sessions = new SessionStore(log);
  const parts = { sessions, counter: constantCounter, models: noModels, clock, log };
  @Module({
    imports: [CqrsModule.forRoot()],
    providers: [
      { provide: OpenSessionHandler, useFactory: () => new OpenSessionHandler(parts) },
      {
        provide: AppendMessagesHandler,
        useFactory: () => new AppendMessagesHandler(parts),
      },
    ],
  })
  class AppendModule {}
  return AppendModule;
};
