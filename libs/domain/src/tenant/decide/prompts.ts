import { AppError } from '@app/kernel';
import type { RegisterPromptCommand } from '../commands.js';
import type { TenantEvent } from '../events.js';
import { promptNamed, requireValidPrompt } from '../prompts.js';
import type { RegisteredTenant } from '../state.js';

/** All of them are in the tenant's state. */
const VERSIONS_MAX = 100;

/**
 * Registers a new version; no-op if the newest one has the same texts.
 * @throws {AppError} `invalid-settings`.
 */
export const registerPrompt = (
  { data: { name, texts, hash, by, now } }: RegisterPromptCommand,
  { prompts }: RegisteredTenant,
): readonly TenantEvent[] => {
  requireValidPrompt(name, texts);
  const newest = promptNamed(prompts, name);
  if (newest?.hash === hash) return [];
  if (prompts.length >= VERSIONS_MAX)
    throw new AppError('invalid-settings', `a tenant has at most ${VERSIONS_MAX} versions of prompts in all`);
  const prompt = { name, version: (newest?.version ?? 0) + 1, hash, texts };
  return [{ type: 'PromptRegistered', data: { prompt, registeredBy: by, registeredAt: now } }];
};
