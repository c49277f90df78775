import { isOfUser, isText, type Message } from '../message/index.js';

/** What harnesses put into the user's messages; it is not the user who speaks there. */
const FOREIGN_TAGS = [
  'system-reminder',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'command-name',
  'command-message',
  'bash-stdout',
  'bash-stderr',
  'environment_context',
  'task-notification',
  'subagent_notification',
  'agent-message',
  'turn_aborted',
];

/** What a harness writes as a message of the user's where an answer was cut short. */
const INTERRUPTED = /\[Request interrupted by user[^\]\n]{0,40}\]/g;

/** What the user says in a message, block by block: no tool result, and nothing that a harness or this engine has put in. */
export const spokenTexts = (message: Message): readonly string[] =>
  isOfUser(message) ? message.blocks.filter(isText).map(({ text }) => withoutForeign(text)) : [];

/** A text of the user's without what a harness has put into it. */
export const withoutForeign = (text: string): string =>
  FOREIGN_TAGS.reduce(withoutTag, text).replace(INTERRUPTED, '');

const withoutTag = (text: string, tag: string): string => {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start);
    if (end < 0) break; // Not closed: then the user writes about the tag.
    kept.push(text.slice(at, start));
    at = end + close.length;
  }
  return [...kept, text.slice(at)].join('\n');
};
