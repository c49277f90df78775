import type { Actor, Event, IsoTime } from '@app/kernel';
import type { TenantPrompt } from '../prompts.js';

/** A new version of a prompt of the tenant's: those before it stay as they are. */
export type PromptRegistered = Event<
  'PromptRegistered',
  { prompt: TenantPrompt; registeredBy: Actor; registeredAt: IsoTime }
>;
