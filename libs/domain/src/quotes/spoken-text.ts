import { isOfUser, isText, type Message } from '../message/index.js';

/** What harnesses put into the user's messages; it is not the user who speaks there. */
const FOREIGN_TAGS = [
  'system-reminder',
  'system_reminder',
  'system_notification',
  'task-notification',
  'current_datetime',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'command-name',
  'command-message',
  'bash-stdout',
  'bash-stderr',
  'ide_opened_file',
  'user-prompt-submit-hook',
  'environment_context',
  'environment_details',
  'user_instructions',
  'subagent_notification',
  'agent-message',
  'turn_aborted',
];
/** These stand around words of the user's own. */
const MARKUP = /<\/?command-args>/g;

/** What a harness writes as a message of the user's where an answer was cut short. */
const INTERRUPTED = /\[Request interrupted by user[^\]\n]{0,40}\]/g;

/** How a text begins that a harness has put beside the user's own: guides, skills, and the files that they name. */
const ATTACHED =
  /^(?:# AGENTS\.md instructions for |Base directory for this skill: |Called the Read tool with the following input: |<path>[^<\n]{1,1000}<\/path>\n<type>\w{1,20}<\/type>\n|<file>\n0{0,5}1[|:]|Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\.$)/;
/** How the summary begins with which an agent goes on where it has compacted its context by itself. */
const CONTINUED =
  /^(?:This session is being continued from a previous conversation|Another language model started to solve this problem and produced a summary|The conversation history before this point was compacted into the following summary)/;
/** Where such a text ends that the user's words may stand behind. */
const GUIDE_ENDS = '</INSTRUCTIONS>';
/** Between these stand the files that a message names, over several texts of it. */
const FILES_BEGIN = /^--- Content from referenced files ---$/m;
const FILES_END = /^--- End of content ---$/m;

/**
 * What a message of the user has in it: what the user says, what was put beside that for whoever reads it, and what an
 * agent has written of the session before.
 */
export type UserTexts = Readonly<Record<'spoken' | 'attached' | 'summaries', readonly string[]>>;

/** Block by block; all are empty for a message that is not of the user: no tool result, and nothing that this engine has put in. */
export const userTextsOf = (message: Message): UserTexts => {
  const spoken: string[] = [];
  const attached: string[] = [];
  const summaries: string[] = [];
  let isInFiles = false;
  for (const { text } of isOfUser(message) ? message.blocks.filter(isText) : []) {
    const own: string[] = [];
    let rest = text;
    if (!isInFiles && CONTINUED.test(text)) {
      summaries.push(text);
      continue;
    }
    if (!isInFiles && ATTACHED.test(text)) {
      const guide = text.indexOf(GUIDE_ENDS);
      rest = guide < 0 ? '' : text.slice(guide + GUIDE_ENDS.length);
      attached.push(text.slice(0, text.length - rest.length));
    }
    while (rest !== '') {
      const mark = (isInFiles ? FILES_END : FILES_BEGIN).exec(rest);
      (isInFiles ? attached : own).push(rest.slice(0, mark?.index));
      if (mark) isInFiles = !isInFiles;
      rest = mark ? rest.slice(mark.index + mark[0].length) : '';
    }
    spoken.push(withoutForeign(own.join('\n')));
  }
  return { spoken, attached, summaries };
};

/** What the user says in a message, block by block. */
export const spokenTexts = (message: Message): readonly string[] => userTextsOf(message).spoken;

/** A text without what a harness has put into it. */
export const withoutForeign = (text: string): string =>
  FOREIGN_TAGS.reduce(withoutTag, text).replace(MARKUP, '\n').replace(INTERRUPTED, '');

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
