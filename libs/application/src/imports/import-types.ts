import type { Message, ProfileSource } from '@app/domain';
import type { SubjectRef, TenantId } from '@app/kernel';

export type ImportOptions = {
  readonly tenant: TenantId;
  readonly profile: ProfileSource;
  /** Tokens; by default that of the model. */
  readonly window?: number;
  /** By default that of the transcript. */
  readonly model?: string;
  /** Metadata of opened sessions; by default that of the transcript. */
  readonly agent?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Data subjects of all content of the sessions. */
  readonly subjects?: readonly SubjectRef[];
  /** Called before a new message is appended. An exception ends the import; earlier messages stay recorded. */
  readonly admit?: (message: Message) => Promise<void>;
};
