/**
 * The entry of the package `palimpsest`, the engine as a library: `openPalimpsest` starts it by itself, `PalimpsestModule` inside a Nest application. Writes are
 * commands, reads are queries, and those of sessions are exported; see samples/library. Tenants, keys, webhooks and models are
 * administered over HTTP or the command line.
 */
import 'reflect-metadata';

export {
  AppendConversation,
  type Caller,
  CancelCompaction,
  ChangeSettings,
  CloseSession,
  CompleteTurn,
  ComposeRequest,
  ContextOverflowError,
  DeferCompactions,
  DiffContexts,
  ExplainCompaction,
  ForkSession,
  GetContext,
  OpenChildSession,
  OpenSession,
  PinContent,
  PlaceLegalHold,
  PlanCompaction,
  ReadMessage,
  ReadSession,
  Recall,
  ReleaseCompactions,
  ReleaseLegalHold,
  RemoveRetention,
  ReportEdits,
  ReportOverflow,
  ReportUsage,
  RequestCompaction,
  ResetSession,
  RevertCompaction,
  type SessionRef,
  SetRetention,
  ShowProtection,
  ShowSession,
  TraceMessage,
  UnpinContent,
  WhatIf,
} from '@app/application';
export type { Contribution, Message, SessionEvent } from '@app/domain';
export {
  Actor,
  AppError,
  CompactionId,
  type ErrorCode,
  IsoTime,
  MessageId,
  RequestId,
  Revision,
  SessionId,
  TenantId,
  Tokens,
} from '@app/kernel';
export type { CompactionHook, ContextProvider } from '@app/ports';
export { type AppConfig, parseConfig } from './config.js';
export { openPalimpsest } from './open-palimpsest.js';
export { Palimpsest } from './palimpsest.js';
export { type OpenOptions, PalimpsestModule } from './palimpsest.module.js';
export { RecordedSessionEvent, SessionEvents } from './session-events.js';
