import { Module } from '@nestjs/common';
import { CloseSessionController } from './lifecycle/close-session.controller.js';
import { ForkSessionController } from './lifecycle/fork-session.controller.js';
import { ImportTranscriptController } from './lifecycle/import-transcript.controller.js';
import { OpenSessionController } from './lifecycle/open-session.controller.js';
import { AppendMessagesController } from './messages/append-messages.controller.js';
import { CompleteTurnController } from './messages/complete-turn.controller.js';
import { ReportUsageController } from './messages/report-usage.controller.js';
import { DiffContextsController } from './reads/diff-contexts.controller.js';
import { ExportSessionController } from './reads/export-session.controller.js';
import { GetContextController } from './reads/get-context.controller.js';
import { ListMessagesController } from './reads/list-messages.controller.js';
import { ListProfilesController } from './reads/list-profiles.controller.js';
import { ListSessionsController } from './reads/list-sessions.controller.js';
import { ReadEventsController } from './reads/read-events.controller.js';
import { ReadMessageController } from './reads/read-message.controller.js';
import { ReadOccupancyController } from './reads/read-occupancy.controller.js';
import { ReadRetentionController } from './reads/read-retention.controller.js';
import { RecallController } from './reads/recall.controller.js';
import { SearchMessagesController } from './reads/search-messages.controller.js';
import { ShowProfileController } from './reads/show-profile.controller.js';
import { ShowSessionController } from './reads/show-session.controller.js';
import { TraceMessageController } from './reads/trace-message.controller.js';
import { ComposeRequestController } from './requests/compose-request.controller.js';
import { ReportEditsController } from './requests/report-edits.controller.js';
import { ReportOverflowController } from './requests/report-overflow.controller.js';
import { ChangeSettingsController } from './settings/change-settings.controller.js';
import { DeferralsController } from './settings/deferrals.controller.js';
import { PinsController } from './settings/pins.controller.js';
import { ResetSessionController } from './settings/reset-session.controller.js';

@Module({
  controllers: [
    ComposeRequestController,
    ReportEditsController,
    ReportOverflowController,
    ReportUsageController,
    ChangeSettingsController,
    DeferralsController,
    PinsController,
    ResetSessionController,
    CloseSessionController,
    ForkSessionController,
    ImportTranscriptController,
    OpenSessionController,
    DiffContextsController,
    ExportSessionController,
    GetContextController,
    ListProfilesController,
    ReadEventsController,
    ReadOccupancyController,
    ReadRetentionController,
    ListMessagesController,
    ListSessionsController,
    ShowProfileController,
    ShowSessionController,
    ReadMessageController,
    RecallController,
    SearchMessagesController,
    TraceMessageController,
    AppendMessagesController,
    CompleteTurnController,
  ],
})
export class SessionRoutesModule {}
