import {
  isSessionEventType,
  isWebhookUrl,
  type SessionEventType,
  sessionEventTypes,
  WEBHOOK_URL_MAX,
  WEBHOOK_URL_RULE,
  type WebhookSettings,
} from '@app/domain';
import { AppError, SessionId, WebhookId } from '@app/kernel';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Settings of a webhook as `add` and `change` take them. */
export type WebhookFlags = {
  readonly label?: string;
  readonly type?: readonly SessionEventType[];
  readonly session?: readonly SessionId[];
  readonly content?: WebhookSettings['content'];
};

/** Adds the options that `add` and `change` share. */
export const withWebhookOptions = (command: Command): Command =>
  command
    .option('--label <text>', 'purpose of the webhook, at most 200 characters', label)
    .option('--type <type...>', 'send events of these types only (default: all types)', eventTypes)
    .option('--session <session...>', 'send events of these sessions only (default: all sessions)', sessions)
    .addOption(
      new Option('--content <content>', '`full` sends the text of messages too').choices(['none', 'full']),
    );

/** Returns the given settings under their names in the API. */
export const settingsIn = ({ label, type, session, content }: WebhookFlags): Partial<WebhookSettings> => ({
  ...(label !== undefined && { label }),
  ...(type && { types: type }),
  ...(session && { sessions: session }),
  ...(content && { content }),
});

/** @throws {InvalidArgumentError} */
export const webhookUrl = (text: string): string => {
  if (isWebhookUrl(text) && text.length <= WEBHOOK_URL_MAX) return text;
  throw new InvalidArgumentError(`give ${WEBHOOK_URL_RULE}, at most ${WEBHOOK_URL_MAX} characters`);
};

/** @throws {InvalidArgumentError} */
export const webhookId = (text: string): WebhookId => asUsage(() => WebhookId(text));

const LABEL_MAX = 200;
const label = (text: string): string => {
  if (text.length <= LABEL_MAX) return text;
  throw new InvalidArgumentError(`give at most ${LABEL_MAX} characters`);
};

const FILTER_MAX = 100;

const eventTypes = (text: string, before: readonly SessionEventType[] = []): readonly SessionEventType[] => {
  if (isSessionEventType(text)) return upTo([...before, text]);
  const matching = sessionEventTypes().filter((type) => type.toLowerCase().includes(text.toLowerCase()));
  const examples =
    text === '' || matching.length === 0 ? ['CompactionCompleted', 'MessageAppended'] : matching;
  throw new InvalidArgumentError(
    `use the name of an event of sessions, such as ${examples.slice(0, 5).join(', ')}`,
  );
};

const sessions = (text: string, before: readonly SessionId[] = []): readonly SessionId[] =>
  upTo([...before, asUsage(() => SessionId(text))]);

const upTo = <Value>(values: readonly Value[]): readonly Value[] => {
  if (values.length <= FILTER_MAX) return values;
  throw new InvalidArgumentError(`give at most ${FILTER_MAX} of them`);
};

const asUsage = <Value>(parse: () => Value): Value => {
  try {
    return parse();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof AppError ? error.message : 'not a valid ID');
  }
};
