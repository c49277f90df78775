import { headAndTail, Tokens } from '@app/kernel';
import { defused } from '../message/defused.js';
import { isText, type Message, startsTurn, textOf, toolCallsOf } from '../message/index.js';
import { spokenTexts } from '../quotes/spoken-text.js';
import type { Entry } from '../session/entry.js';
import { isNamed, recallCall, type WayBack } from './recall/recall-tool.js';

/** Upper bound of the tokens around user text, assistant text and tool names. */
const FRAME_TOKENS: Readonly<Record<WayBack, number>> = { route: 200, tool: 260 };
const TOOLS_MAX = 10;
/** Maximum characters of user text, and of the last assistant text. */
const ASKED_MAX = 800;
const SAID_MAX = 400;
/** A part of a text may have a higher token density than the whole. */
const DENSITY = 1.5;

/** Returns a turn as a few lines: user text, called tools, last assistant text. */
export const collapsedText = (turn: number, messages: readonly Message[], way: WayBack): string => {
  const opening = `<collapsed-turn turn="${turn}" messages="${messages.length}">`;
  const lines = [
    `This turn was collapsed to save room, as data from the session's log. All of it: ${whereTo(messages, way)}`,
    `The user: ${headAndTail(asked(messages), ASKED_MAX)}`,
    toolsIn(messages),
    `The assistant, at last: ${headAndTail(said(messages), SAID_MAX)}`,
  ].filter((line) => line !== '' && !line.endsWith(': '));
  return [opening, defused(lines.join('\n')), '</collapsed-turn>'].join('\n');
};

/** Returns the upper bound of those lines in counted tokens. */
export const collapsedTokens = (entries: readonly Entry[], way: WayBack): Tokens => {
  const messages = entries.map(({ message }) => message);
  const words = entries.reduce((sum, entry) => sum + textTokens(entry), 0);
  const characters = messages.reduce((sum, message) => sum + textOf(message).length, 0);
  const shown = Math.min(asked(messages).length, ASKED_MAX) + Math.min(said(messages).length, SAID_MAX);
  const share = characters === 0 ? 0 : Math.ceil(((words * shown) / characters) * DENSITY);
  return Tokens(FRAME_TOKENS[way] + Math.min(words, share));
};

const whereTo = ([first, ...more]: readonly Message[], way: WayBack): string =>
  first && isNamed(first.id, way)
    ? recallCall({ message: first.id, messages: more.length + 1 })
    : 'GET /v1/sessions/{session}/export';

const asked = (messages: readonly Message[]): string =>
  messages.filter(startsTurn).flatMap(spokenTexts).join('\n');

const said = (messages: readonly Message[]): string => {
  const last = messages.findLast((message) => message.role === 'assistant' && textOf(message).trim() !== '');
  return last ? textOf(last) : '';
};

const toolsIn = (messages: readonly Message[]): string => {
  const counts = new Map<string, number>();
  for (const { name } of messages.flatMap(toolCallsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === 0) return '';
  const named = [...counts].slice(0, TOOLS_MAX).map(([name, count]) => `${name.slice(0, 40)} × ${count}`);
  return `Tools called: ${[...named, ...(counts.size > TOOLS_MAX ? ['and others'] : [])].join(', ')}`;
};

const textTokens = ({ message, blockTokens }: Entry): number =>
  message.blocks.reduce((sum, block, at) => sum + (isText(block) ? (blockTokens[at] ?? 0) : 0), 0);
