import { sumTokens, Tokens } from '@app/kernel';
import { defused } from '../message/defused.js';
import type { Pin, PinKind } from '../session/facts.js';

const HEADINGS: Readonly<Record<PinKind, string>> = {
  constraint: 'Constraint',
  mandate: 'Mandate of this session',
  children: 'Running child sessions',
  plan: 'Plan in force',
};
const OPENING = '<pinned-content>';
const CLOSING = '</pinned-content>';
const EXPLANATION =
  'This was pinned outside of the conversation, holds for all of it, and is never summarized.';
/** Upper bound of the tokens of the frame around all pins, for all known tokenizers. */
const FRAME_TOKENS_MAX = 48;

/** A pin as a request carries it. */
export const renderPin = ({ pinId, kind, text }: Pick<Pin, 'pinId' | 'kind' | 'text'>): string =>
  [`## ${HEADINGS[kind]} (${pinId})`, defused(text)].join('\n');

/** All pins as one text in the user's place, in the order in which they were pinned; `undefined` without any. */
export const framePins = (pins: readonly Pin[]): string | undefined =>
  pins.length === 0 ? undefined : [OPENING, EXPLANATION, ...pins.map(renderPin), CLOSING].join('\n');

export const pinnedTokens = (pins: readonly Pin[]): Tokens =>
  pins.length === 0 ? Tokens(0) : sumTokens([Tokens(FRAME_TOKENS_MAX), ...pins.map(({ tokens }) => tokens)]);
