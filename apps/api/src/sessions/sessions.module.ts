import { Module } from '@nestjs/common';
import { AppendMessagesController } from './append-messages.controller.js';
import { OpenSessionController } from './open-session.controller.js';

@Module({ controllers: [OpenSessionController, AppendMessagesController] })
export class SessionRoutesModule {}
