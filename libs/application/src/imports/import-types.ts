import type { Message, ProfileSource } from '@app/domain';
import type { TranscriptFormat } from '@app/formats';
import type { SessionId, TenantId } from '@app/kernel';

export type ImportOptions = {
  readonly tenant: TenantId;
  readonly profile: ProfileSource;
  /** Tokens; the model's where it is not given. */
  readonly window?: number;
  /** The transcript's where it is not given. */
  readonly model?: string;
  /** Of sessions that the import opens: the transcript's where they are not given. */
  readonly agent?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Asked before a message is appended that is new: where it throws, the import ends there, and what came before stays. */
  readonly admit?: (message: Message) => Promise<void>;
};

/** A session after its import; the counts are of the whole session, whichever import brought it in. */
export type ImportedSession = {
  readonly session: SessionId;
  readonly format: TranscriptFormat;
  readonly messages: number;
  readonly turns: number;
  readonly toolCalls: number;
  /** Estimated, of all messages ever appended. */
  readonly tokens: number;
  readonly compactions: number;
};
