// The engine inside a Nest application: a service of your own with `Palimpsest` injected, and a handler of recorded events.
import 'reflect-metadata';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import {
  Actor,
  AppendConversation,
  OpenSession,
  Palimpsest,
  PalimpsestModule,
  parseConfig,
  type RecordedSessionEvent,
  SessionEvents,
  SessionId,
  ShowSession,
  TenantId,
} from 'palimpsest';

@Injectable()
class Conversations {
  constructor(@Inject(Palimpsest) private readonly palimpsest: Palimpsest) {}

  /** Opens a session with its first message and returns the number of messages in it. */
  async begin(id: string, text: string): Promise<number> {
    const { commands, queries } = this.palimpsest;
    const session = { tenant: TenantId('default'), session: SessionId(id) };
    const caller = { actor: Actor('nest-example') };
    const settings = { model: 'gpt-4.1', profile: 'core', systemPrompt: '', tools: [], labels: {} };
    await commands.execute(new OpenSession(session, settings, caller));
    const messages = [{ role: 'user', blocks: [{ type: 'text', text }] }] as const;
    await commands.execute(new AppendConversation(session, { messages }, caller));
    const { messages: stored } = await queries.execute(new ShowSession(session));
    return stored;
  }
}

/** Handles each session that any process opens while this application runs. */
@EventsHandler(SessionEvents.SessionOpened)
class OpenedSessions implements IEventHandler<RecordedSessionEvent<'SessionOpened'>> {
  #resolve: (session: string) => void = () => {};
  readonly first = new Promise<string>((resolve) => {
    this.#resolve = resolve;
  });

  handle({ session, data }: RecordedSessionEvent<'SessionOpened'>): void {
    this.#resolve(`${session}, profile ${data.profile.name}`);
  }
}

@Module({
  imports: [PalimpsestModule.forRoot(parseConfig({ PALIMPSEST_DATA: 'nest-data' }))],
  providers: [Conversations, OpenedSessions],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
console.log(`messages: ${await app.get(Conversations).begin('greeting', 'Hello.')}`);
console.log(`opened: ${await app.get(OpenedSessions).first}`);
await app.close();
