import { Module } from '@nestjs/common';
import { ComposeRequestController } from './composing/compose-request.controller.js';
import { ReportEditsController } from './composing/report-edits.controller.js';
import { ReportOverflowController } from './composing/report-overflow.controller.js';
import { ChangeSettingsController } from './managing/change-settings.controller.js';
import { DeferCompactionsController } from './managing/defer-compactions.controller.js';
import { PinContentController } from './managing/pin-content.controller.js';
import { ReleaseCompactionsController } from './managing/release-compactions.controller.js';
import { ResetSessionController } from './managing/reset-session.controller.js';
import { UnpinContentController } from './managing/unpin-content.controller.js';
import { CloseSessionController } from './opening/close-session.controller.js';
import { ForkSessionController } from './opening/fork-session.controller.js';
import { ImportTranscriptController } from './opening/import-transcript.controller.js';
import { OpenSessionController } from './opening/open-session.controller.js';
import { DiffContextsController } from './reading/diff-contexts.controller.js';
import { ExportSessionController } from './reading/export-session.controller.js';
import { GetContextController } from './reading/get-context.controller.js';
import { ListProfilesController } from './reading/list-profiles.controller.js';
import { ListSessionsController } from './reading/list-sessions.controller.js';
import { ReadEventsController } from './reading/read-events.controller.js';
import { ReadMessageController } from './reading/read-message.controller.js';
import { RecallController } from './reading/recall.controller.js';
import { ShowProfileController } from './reading/show-profile.controller.js';
import { ShowSessionController } from './reading/show-session.controller.js';
import { TraceMessageController } from './reading/trace-message.controller.js';
import { AppendMessagesController } from './talking/append-messages.controller.js';
import { CompleteTurnController } from './talking/complete-turn.controller.js';
import { ReportUsageController } from './talking/report-usage.controller.js';

@Module({
  controllers: [
    ComposeRequestController,
    ReportEditsController,
    ReportOverflowController,
    ReportUsageController,
    ChangeSettingsController,
    DeferCompactionsController,
    PinContentController,
    ReleaseCompactionsController,
    ResetSessionController,
    UnpinContentController,
    CloseSessionController,
    ForkSessionController,
    ImportTranscriptController,
    OpenSessionController,
    DiffContextsController,
    ExportSessionController,
    GetContextController,
    ListProfilesController,
    ReadEventsController,
    ListSessionsController,
    ShowProfileController,
    ShowSessionController,
    ReadMessageController,
    RecallController,
    TraceMessageController,
    AppendMessagesController,
    CompleteTurnController,
  ],
})
export class SessionRoutesModule {}
