import { PROMPT_PARTS, type PromptPart, type RegisteredPrompt } from '@app/domain';
import type { IsoTime } from '@app/kernel';

/** A version of a tenant's prompt without its texts. */
export type PromptView = {
  readonly name: string;
  readonly version: number;
  /** SHA-256 of its texts as canonical JSON, hexadecimal. */
  readonly hash: string;
  /** Length of each text in UTF-16 units. */
  readonly lengths: { readonly [Part in PromptPart]?: number };
  readonly registeredBy: string;
  readonly registeredAt: IsoTime;
};

export const promptView = (prompt: RegisteredPrompt): PromptView => {
  const { name, version, hash, texts, registeredBy, registeredAt } = prompt;
  const lengths: { [Part in PromptPart]?: number } = {};
  for (const part of PROMPT_PARTS) {
    const text = texts[part];
    if (text !== undefined) lengths[part] = text.length;
  }
  return { name, version, hash, lengths, registeredBy, registeredAt };
};
