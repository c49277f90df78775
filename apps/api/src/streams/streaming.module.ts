import type { EventHub } from '@app/application';
import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { EVENT_HUB } from '../symbols.js';
import { StreamEventsController } from './stream-events.controller.js';

@Module({ controllers: [StreamEventsController] })
export class StreamRoutesModule implements OnModuleDestroy {
  constructor(@Inject(EVENT_HUB) private readonly hub: EventHub) {}

  /** Ends all streams; the closing server would wait for them otherwise. */
  async onModuleDestroy(): Promise<void> {
    await this.hub.close();
  }
}
