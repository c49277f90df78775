import { AppError, isWellFormed, type NonEmpty, type Positive, type Sha256 } from '@app/kernel';
import { missingSection, REQUIRED_SECTIONS } from '../compaction/summary/sections.js';

/** The parts of a summarizing prompt that a tenant can replace. */
export const PROMPT_PARTS = ['system', 'transcript', 'prefix', 'sections'] as const;
export type PromptPart = (typeof PROMPT_PARTS)[number];
/** A tenant's texts; absent parts are the shipped ones. */
export type PromptTexts = { readonly [Part in PromptPart]?: string };

/** One version of a tenant's prompt, immutable. */
export type TenantPrompt = {
  readonly name: NonEmpty;
  readonly version: Positive;
  /** Of the texts as canonical JSON. */
  readonly hash: Sha256;
  readonly texts: PromptTexts;
};

/** The places that each part has, all of which it must have. */
const PROMPT_PLACES: Readonly<Record<PromptPart, readonly string[]>> = {
  system: [],
  sections: [],
  transcript: [
    ...[
      'previous',
      'transcript',
      'files',
      'retained',
      'context',
      'instructions',
      'sections',
      'words',
      'again',
    ],
  ],
  prefix: ['range', 'ids', 'files', 'context', 'instructions', 'sections', 'words', 'again'],
};

/** In UTF-16 units. */
const TEXT_MAX = 20_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Checks a prompt against the requirements of summarizing.
 *
 * @throws {AppError} `invalid-settings`, with the first violated rule and without text of the prompt.
 */
export const requireValidPrompt = (name: string, texts: PromptTexts): void => {
  requireSetting(
    NAME.test(name) && name !== 'default',
    'a prompt has a name of 64 letters, digits, dots, hyphens and underscores at most, other than default',
  );
  const parts = PROMPT_PARTS.filter((part) => texts[part] !== undefined);
  requireSetting(parts.length > 0, `a prompt has a text for one of ${PROMPT_PARTS.join(', ')} at least`);
  for (const part of parts) requireValidPart(part, texts[part] ?? '');
};

const requireValidPart = (part: PromptPart, text: string): void => {
  const isText = text.trim() !== '' && text.length <= TEXT_MAX && isWellFormed(text);
  requireSetting(isText, `${part} takes a text of well-formed Unicode of ${TEXT_MAX} characters at most`);
  const found = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place = '']) => place));
  const wanted = PROMPT_PLACES[part];
  const missing = wanted.find((place) => !found.has(place));
  requireSetting(
    missing === undefined,
    `${part} lacks the place {{${missing}}}: it must have ${placesText(wanted)}`,
  );
  requireSetting(
    [...found].every((place) => wanted.includes(place)),
    `${part} has a place that is not filled: it can have ${placesText(wanted)}`,
  );
  if (part !== 'sections') return;
  const headings = REQUIRED_SECTIONS.map((section) => `## ${section}`).join(', ');
  requireSetting(
    missingSection(text) === undefined,
    `sections must have the headings ${headings}, in this order`,
  );
};

const placesText = (places: readonly string[]): string =>
  places.length === 0 ? 'none' : places.map((place) => `{{${place}}}`).join(', ');

/** @throws {AppError} `invalid-settings` with the rule that does not hold. */
export const requireSetting = (holds: boolean, rule: string): void => {
  if (!holds) throw new AppError('invalid-settings', rule);
};

/**
 * Returns the prompt of a name: `NAME` is the newest version, `NAME@VERSION` a specific one; `undefined` if unknown.
 */
export const promptNamed = (prompts: readonly TenantPrompt[], wanted: string): TenantPrompt | undefined => {
  const [name, version] = wanted.split('@');
  return prompts.findLast(
    (one) => one.name === name && (version === undefined || one.version === Number(version)),
  );
};
