import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROMPT_PARTS, type PromptTexts, type TenantPrompt } from '@app/domain';
import { invariant, ownMember } from '@app/kernel';

/** A prompt as it ships. */
type Prompt = {
  readonly name: string;
  /** SHA-256 of its text, hexadecimal, the first twelve digits. */
  readonly version: string;
  readonly text: string;
};
export type PromptSet = {
  /** Of all prompts together: what events name. */
  readonly version: string;
  /** In the order of their names. */
  readonly prompts: readonly Prompt[];
};

const VERSION_DIGITS = 12;
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, VERSION_DIGITS);

/** Reads every prompt of a folder. A checkout with other line ends has the same versions. */
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

/** The project's `prompts/`, above this file both as source and as built to `dist/`. */
const projectPrompts = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'prompts');
    if (existsSync(join(found, 'system.md')) && existsSync(join(folder, 'package.json'))) return found;
    invariant(folder !== dirname(folder), 'the folder prompts/ is missing from this installation');
  }
};

let known: PromptSet | undefined;

/** The prompts that ship, read once. */
export const shippedPrompts = (): PromptSet => {
  known ??= readPrompts(projectPrompts());
  return known;
};

/**
 * A prompt with its places filled in; what is filled in is never looked at for places.
 *
 * @param own texts that take the place of those that ship, by the names of these.
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
    invariant(value !== undefined, `the prompt "${name}" has a place "${place}" that nobody fills`);
    return value;
  });
};

const ownText = (own: PromptTexts, name: string): string | undefined => {
  const part = PROMPT_PARTS.find((one) => one === name);
  return part && own[part]?.replaceAll('\r\n', '\n');
};

/** The version of a tenant's prompt, as events name it: by its name, its version and its hash, and what ships beside it. */
export const promptVersionOf = ({ name, version, hash }: TenantPrompt): string =>
  `${name}@${version}-${hash.slice(0, VERSION_DIGITS)}+${shippedPrompts().version}`;
