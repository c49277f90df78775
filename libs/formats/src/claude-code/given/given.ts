import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import { isShallow } from '../../drafts/content-blocks.js';
import { objectIn, stringIn } from '../../drafts/members.js';

/**
 * Returns a message for a record whose content the model received as user content: queued input, attachments, local
 * commands. Returns any other record unchanged.
 */
export const asUserMessage = (record: JsonObject): JsonObject => {
  const content = contentOf(record);
  if (content === undefined || content === '') return record;
  const isQueued = record.type === 'attachment' && objectIn(record, 'attachment')?.type === 'queued_command';
  return { ...record, type: 'user', isMeta: true, isQueued, message: { role: 'user', content } };
};

const contentOf = (record: JsonObject): Json | undefined => {
  if (record.type === 'system')
    return record.subtype === 'local_command' ? stringIn(record, 'content') : undefined;
  if (record.type !== 'attachment') return undefined;
  const attachment = objectIn(record, 'attachment') ?? {};
  const { type, prompt } = attachment;
  if (type === 'queued_command')
    return typeof prompt === 'string' || Array.isArray(prompt) ? prompt : undefined;
  return isShown(attachment) ? attached(attachment) : undefined;
};

/** Attachment types that add content to the conversation; others remind the model of existing content, or count it. */
const SHOWN = new Set([
  ...['file', 'new_file', 'directory', 'new_directory', 'edited_text_file', 'edited_image_file'],
  ...['selected_lines_in_ide', 'mcp_resource', 'nested_memory', 'invoked_skills', 'plan_file_reference'],
  ...['hook_additional_context', 'teammate_mailbox'],
]);
/** The hooks whose output is given to the model. */
const OUTPUT_HOOKS = new Set(['SessionStart', 'UserPromptSubmit']);

const isShown = ({ type, hookEvent }: JsonObject): boolean =>
  SHOWN.has(String(type)) || (type === 'hook_success' && OUTPUT_HOOKS.has(String(hookEvent)));

/**
 * Returns the content of an attachment behind a title line, as a harness reminder, because the user has not written
 * it. `undefined` if it is empty.
 */
const attached = (attachment: JsonObject): Json | undefined => {
  if (!isShallow(attachment)) return undefined;
  const pieces = held(attachment);
  if (pieces.length === 0) return undefined;
  const name = NAMES.map((member) => stringIn(attachment, member)).find((found) => found !== undefined);
  const what = String(attachment.type).replaceAll('_', ' ');
  const texts = pieces.filter((piece) => typeof piece === 'string');
  const words = [name === undefined ? `[${what}]` : `[${what} ${name}]`, ...texts].join('\n');
  const reminder = { type: 'text', text: `<system-reminder>\n${words}\n</system-reminder>` };
  return [reminder, ...pieces.filter(isJsonObject)];
};
const NAMES = ['filename', 'path', 'uri', 'planFilePath', 'hookName'];

/** Texts and media in members that hold something, however deep: they are named otherwise for each kind. */
const held = (value: Json | undefined): readonly (string | JsonObject)[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => held(item));
  if (!isJsonObject(value)) return [];
  const media = mediaIn(value);
  if (media) return [media];
  const found =
    HOLDERS.map((member) => held(ownMember(value, member))).find((pieces) => pieces.length > 0) ?? [];
  const from = stringIn(value, 'from');
  return from === undefined ? found : [`[from ${from}]`, ...found];
};
const HOLDERS = [
  ...['content', 'text', 'snippet', 'file', 'contents', 'messages', 'skills', 'planContent'],
  ...['cells', 'source'],
];

const mediaIn = ({ type, file }: JsonObject): JsonObject | undefined => {
  if (!isJsonObject(file) || typeof file.base64 !== 'string') return undefined;
  const source = { type: 'base64', data: file.base64 };
  if (type === 'image')
    return { type, source: { ...source, media_type: stringIn(file, 'type') ?? 'image/png' } };
  return type === 'pdf'
    ? { type: 'document', source: { ...source, media_type: 'application/pdf' } }
    : undefined;
};
