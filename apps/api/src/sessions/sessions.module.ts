import { Module } from '@nestjs/common';
import { ImportTranscriptController } from './lifecycle/import-transcript.controller.js';
import { LifecycleController } from './lifecycle/lifecycle.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { ContextsController } from './reads/contexts.controller.js';
import { ExportSessionController } from './reads/export-session.controller.js';
import { ReadMessagesController } from './reads/messages.controller.js';
import { ProfilesController } from './reads/profiles.controller.js';
import { ReadEventsController } from './reads/read-events.controller.js';
import { ReadSessionsController } from './reads/sessions.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { SettingsController } from './settings/settings.controller.js';

@Module({
  controllers: [
    RequestsController,
    MessagesController,
    SettingsController,
    LifecycleController,
    ImportTranscriptController,
    ContextsController,
    ExportSessionController,
    ProfilesController,
    ReadEventsController,
    ReadMessagesController,
    ReadSessionsController,
  ],
})
export class SessionRoutesModule {}
