import { AppError, isWellFormed } from '@app/kernel';
import { missingSection, REQUIRED_SECTIONS } from '../compaction/summary/sections.js';

/** The parts of what a summarizing model is told that a tenant can have words of its own for. */
export const PROMPT_PARTS = ['system', 'transcript', 'prefix', 'sections'] as const;
export type PromptPart = (typeof PROMPT_PARTS)[number];
/** A tenant's own words; a part that is absent is told as it ships. */
export type PromptTexts = { readonly [Part in PromptPart]?: string };

/** A prompt of a tenant's in one of its versions: none is ever changed. */
export type TenantPrompt = {
  readonly name: string;
  /** From 1. */
  readonly version: number;
  /** SHA-256 of the texts as canonical JSON, hexadecimal. */
  readonly hash: string;
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
 * Holds a prompt to what summarizing needs of it.
 *
 * @throws {AppError} `invalid-settings`, with the first rule that is broken and never with text of the prompt.
 */
export const requireValidPrompt = (name: string, texts: PromptTexts): void => {
  require(NAME.test(name) &&
    name !==
      'default', 'a prompt has a name of 64 letters, digits, dots, hyphens and underscores at most, other than default');
  const parts = PROMPT_PARTS.filter((part) => texts[part] !== undefined);
  require(parts.length > 0, `a prompt has a text for one of ${PROMPT_PARTS.join(', ')} at least`);
  for (const part of parts) requireValidPart(part, texts[part] ?? '');
};

const requireValidPart = (part: PromptPart, text: string): void => {
  const isText = text.trim() !== '' && text.length <= TEXT_MAX && isWellFormed(text);
  require(isText, `${part} takes a text of well-formed Unicode of ${TEXT_MAX} characters at most`);
  const found = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place = '']) => place));
  const wanted = PROMPT_PLACES[part];
  const missing = wanted.find((place) => !found.has(place));
  require(missing ===
    undefined, `${part} lacks the place {{${missing}}}: it must have ${placesText(wanted)}`);
  require([...found].every((place) =>
    wanted.includes(place),
  ), `${part} has a place that is not filled: it can have ${placesText(wanted)}`);
  if (part !== 'sections') return;
  const headings = REQUIRED_SECTIONS.map((section) => `## ${section}`).join(', ');
  require(missingSection(text) === undefined, `sections must have the headings ${headings}, in this order`);
};

const placesText = (places: readonly string[]): string =>
  places.length === 0 ? 'none' : places.map((place) => `{{${place}}}`).join(', ');

const require = (holds: boolean, rule: string): void => {
  if (!holds) throw new AppError('invalid-settings', rule);
};

/**
 * The prompt that a profile or a summarizer names: `NAME` is the newest version, `NAME@VERSION` that one; `undefined` where
 * there is none.
 */
export const promptNamed = (prompts: readonly TenantPrompt[], wanted: string): TenantPrompt | undefined => {
  const [name, version] = wanted.split('@');
  return prompts.findLast(
    (one) => one.name === name && (version === undefined || one.version === Number(version)),
  );
};
