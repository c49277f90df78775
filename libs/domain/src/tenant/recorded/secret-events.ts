import type { Event, IsoTime, SecretName } from '@app/kernel';

/** A value was given under a name, for the first time or in the place of another. The value is not in the log. */
export type SecretStored = Event<'SecretStored', { name: SecretName; storedAt: IsoTime }>;

export type SecretRemoved = Event<'SecretRemoved', { name: SecretName }>;
