import { AppError, type Decisions, type SessionId } from '@app/kernel';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession, SessionState } from '../session/state.js';
import { appendMessages, reportUsage } from './append-messages.js';
import { attributed } from './attribute-subjects.js';
import type { Decide, ProtectionCommand, SessionCommand } from './commands.js';
import { cancelCompaction, cancelled } from './compactions/cancel-compaction.js';
import { checkBudget } from './compactions/check-budget.js';
import { completeCompaction } from './compactions/complete-compaction.js';
import { failAttempt, failCompaction } from './compactions/fail-compaction.js';
import { recordCompaction, recordPruning } from './compactions/imported/record-compaction.js';
import { requestCompaction } from './compactions/request-compaction.js';
import { revertCompaction } from './compactions/revert-compaction.js';
import { startCompaction } from './compactions/start-compaction.js';
import { completeTurn } from './complete-turn.js';
import { withCrossings } from './crossings.js';
import { deferCompactions, releaseCompactions } from './deferrals/defer-compactions.js';
import { changeSettings, switchModel } from './lifecycle/change-settings.js';
import { describeSession } from './lifecycle/describe-session.js';
import { eraseContent } from './lifecycle/erase-content.js';
import { forkSession } from './lifecycle/fork-session.js';
import { openSession } from './lifecycle/open-session.js';
import { pinContent, unpinContent } from './lifecycle/pin-content.js';
import { resetSession } from './lifecycle/reset-session.js';
import { changeProtection, isProtectionCommand } from './protection/change-protection.js';
import { reportEdits } from './provider/report-edits.js';
import { changeClientForm, changeRequestParts } from './requests/change-request-parts.js';
import { composeRequest } from './requests/compose-request.js';
import { countRequest } from './requests/count-request.js';
import { reportOverflow } from './requests/report-overflow.js';

/** Closes a session permanently and cancels its compactions. */
const closeSession: Decide<'CloseSession'> = ({ data: { reason } }, session) => [
  ...cancelled(session, 'close', 'the session was closed'),
  { type: 'SessionClosed', data: { reason } },
];

/**
 * Returns the events that `command` causes in `state`; none if it was executed before.
 *
 * @throws {AppError} `session-not-found`, `session-already-open`, `session-closed`, `message-conflict`,
 *   `invalid-settings`, `pin-not-found`, `confirmation-required`, `compaction-not-revertible`, `context-overflow`,
 *   `turn-in-progress`, `request-not-found`, `retention-locked`, `hold-not-found`, `too-many-holds`.
 */
export const decide = (command: SessionCommand, state: SessionState): readonly SessionEvent[] =>
  attributed(eventsOf(command, state), state);

const eventsOf = (command: SessionCommand, state: SessionState): readonly SessionEvent[] => {
  if (command.type === 'OpenSession') return openSession(command, state);
  if (command.type === 'ForkSession') return forkSession(command, state);
  const session = requireOpen(command.data.sessionId, state);
  if (command.type === 'SkipProjection') return skipProjection(command, session);
  if (command.type === 'EraseContent') return eraseContent(command, session);
  if (isProtectionCommand(command)) return changeProtection(command, session);
  if (session.closed) return afterClosing(command, session);
  return withCrossings(command, session, decideOpen(command, session));
};

type OnOpen = Exclude<
  SessionCommand,
  ProtectionCommand | { readonly type: 'OpenSession' | 'ForkSession' | 'SkipProjection' | 'EraseContent' }
>;

const DECISIONS: Decisions<OnOpen, OpenSession, SessionEvent> = {
  AppendMessages: appendMessages,
  ReportUsage: reportUsage,
  CompleteTurn: completeTurn,
  CheckBudget: checkBudget,
  RequestCompaction: requestCompaction,
  DeferCompactions: deferCompactions,
  ReleaseCompactions: releaseCompactions,
  StartCompaction: startCompaction,
  CompleteCompaction: completeCompaction,
  RecordCompaction: recordCompaction,
  RecordPruning: recordPruning,
  FailAttempt: failAttempt,
  FailCompaction: failCompaction,
  CancelCompaction: cancelCompaction,
  RevertCompaction: revertCompaction,
  ResetSession: resetSession,
  ChangeSettings: changeSettings,
  DescribeSession: describeSession,
  SwitchModel: switchModel,
  PinContent: pinContent,
  UnpinContent: unpinContent,
  CountRequest: countRequest,
  ChangeRequestParts: changeRequestParts,
  ChangeClientForm: changeClientForm,
  ComposeRequest: composeRequest,
  ReportOverflow: reportOverflow,
  ReportEdits: reportEdits,
  CloseSession: closeSession,
};

const decideOpen = <Type extends OnOpen['type']>(
  command: Extract<OnOpen, { readonly type: Type }>,
  session: OpenSession,
): readonly SessionEvent[] => DECISIONS[command.type](command, session);

/** Results of running compactions are still recorded; closing again has no effect. */
const afterClosing = (command: OnOpen, session: OpenSession): readonly SessionEvent[] => {
  switch (command.type) {
    case 'CompleteCompaction':
      return completeCompaction(command, session);
    case 'ReportUsage':
      return reportUsage(command, session);
    case 'StartCompaction':
    case 'FailAttempt':
    case 'FailCompaction':
    case 'CancelCompaction':
    case 'CloseSession':
      return [];
    default:
      throw new AppError(
        'session-closed',
        `session "${command.data.sessionId}" is closed: open a new one, or fork this one`,
      );
  }
};

const requireOpen = (sessionId: SessionId, state: SessionState): OpenSession => {
  if (state.status === 'open') return state;
  throw sessionNotFound(sessionId);
};

export const sessionNotFound = (sessionId: SessionId): AppError =>
  new AppError(
    'session-not-found',
    `there is no session "${sessionId}": \`palimpsest sessions\` lists those there are`,
  );

/** Records once that a projection skips an event; also for a closed session. */
const skipProjection: Decide<'SkipProjection'> = ({ data }) => {
  const { projection, revision, position, reason, isSkipped } = data;
  if (isSkipped) return [];
  return [{ type: 'ProjectionSkipped', data: { projection, revision, position, reason } }];
};
