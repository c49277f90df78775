import type { Actor, Event, IsoTime } from '@app/kernel';
import type { TenantPrompt } from '../prompts.js';

/** A new version of a tenant's prompt; earlier versions stay. */
export type PromptRegistered = Event<
  'PromptRegistered',
  { prompt: TenantPrompt; registeredBy: Actor; registeredAt: IsoTime }
>;
