import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROMPT_PARTS, type PromptTexts, type TenantPrompt } from '@app/domain';
import { invariant, ownMember } from '@app/kernel';
import { installed } from '@app/ports';

/** A shipped prompt. */
type Prompt = {
  readonly name: string;
  /** The first twelve hex digits of the text's SHA-256. */
  readonly version: string;
  readonly text: string;
};
export type PromptSet = {
  /** The version of all prompts together, which events contain. */
  readonly version: string;
  /** Sorted by name. */
  readonly prompts: readonly Prompt[];
};

const VERSION_DIGITS = 12;
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, VERSION_DIGITS);

/** Reads every prompt of a folder. Versions do not depend on line endings. */
const readPrompts = (folder: string): PromptSet => {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort();
  const prompts = names.map((file): Prompt => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    return { name: file.slice(0, -'.md'.length), version: hashOf(text), text };
  });
  const all = prompts.map(({ name, version }) => `${name} ${version}\n`).join('');
  return { version: `prompts-${hashOf(all)}`, prompts };
};

let known: PromptSet | undefined;

/** Returns the shipped prompts; reads them once. */
export const shippedPrompts = (): PromptSet => {
  known ??= readPrompts(dirname(installed('prompts/system.md')));
  return known;
};

/**
 * Returns a prompt with its placeholders replaced; values are not scanned for placeholders.
 * @param own texts that replace shipped ones, by name.
 */
export const filled = (
  name: string,
  values: Readonly<Record<string, string>> = {},
  own: PromptTexts = {},
): string => {
  const text = ownText(own, name) ?? shippedPrompts().prompts.find((one) => one.name === name)?.text;
  invariant(text !== undefined, `there is no prompt "${name}"`);
  return text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => {
    const value = ownMember(values, place);
    invariant(value !== undefined, `the prompt "${name}" has no value for its placeholder "${place}"`);
    return value;
  });
};

const ownText = (own: PromptTexts, name: string): string | undefined => {
  const part = PROMPT_PARTS.find((one) => one === name);
  return part && own[part]?.replaceAll('\r\n', '\n');
};

/** Returns the version of a tenant's prompt as events contain it: name, version, hash and shipped version. */
export const promptVersionOf = ({ name, version, hash }: TenantPrompt): string =>
  `${name}@${version}-${hash.slice(0, VERSION_DIGITS)}+${shippedPrompts().version}`;
