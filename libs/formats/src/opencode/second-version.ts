import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, modelNameIn, objectIn, stringIn } from '../drafts/members.js';

/** Internal records among the messages of OpenCode 2. */
const NOTES = new Set(['agent-switched', 'model-switched', 'location-switched', 'idle']);
const KINDS = new Set([
  ...NOTES,
  ...['user', 'synthetic', 'skill', 'shell', 'system', 'assistant', 'compaction'],
]);

/** Returns whether `message` is one of OpenCode 2, which has type and content in itself. */
export const isOfSecond = (message: Json): message is JsonObject =>
  isJsonObject(message) &&
  KINDS.has(String(message.type)) &&
  stringIn(message, 'id') !== undefined &&
  typeof objectIn(message, 'time')?.created === 'number' &&
  !('info' in message);

/** Returns a message in the form of OpenCode 1; `undefined` for an internal record. */
export const asOfFirst = (message: JsonObject): JsonObject | undefined => {
  const { type, id, time } = message;
  const said = (role: string, text: Json | undefined, more: readonly JsonObject[] = []): JsonObject => ({
    info: { id: id ?? null, role, time: time ?? null },
    parts: [{ type: 'text', text: text ?? '' }, ...more],
  });
  /** Text inserted by OpenCode as the user. */
  const inserted = (text: Json | undefined): JsonObject => ({
    info: { id: id ?? null, role: 'user', time: time ?? null },
    parts: [{ type: 'text', text: text ?? '', synthetic: true }],
  });
  switch (type) {
    case 'user':
      return said('user', message.text, (listIn(message, 'files') ?? []).filter(isJsonObject).map(attached));
    case 'synthetic':
    case 'skill':
      return inserted(message.text);
    case 'system':
      return said('system', message.text);
    case 'shell':
      return inserted(commandText(message));
    case 'assistant':
      return answerFrom(message);
    case 'compaction':
      return summaryFrom(message);
    default:
      return undefined;
  }
};

/** Texts are in the message as such; an image or a document is a file by a data URL. */
const attached = (file: JsonObject): JsonObject => {
  const mime = stringIn(file, 'mime') ?? '';
  const data = stringIn(file, 'data') ?? '';
  const name = stringIn(file, 'name') ?? stringIn(objectIn(file, 'source') ?? {}, 'uri') ?? 'unnamed';
  if (mime === 'text/plain' || mime === 'application/x-directory') {
    const words = Buffer.from(data, 'base64').toString('utf8');
    return { type: 'text', text: `[file ${name}]\n${words}`, synthetic: true };
  }
  return { type: 'file', mime, url: `data:${mime};base64,${data}`, filename: name };
};

const commandText = (message: JsonObject): string => {
  const output = objectIn(message, 'output');
  const words = output ? stringIn(output, 'output') : stringIn(message, 'output');
  return [`$ ${stringIn(message, 'command') ?? ''}`, ...(words === undefined ? [] : [words])].join('\n');
};

const infoOf = (message: JsonObject, more: JsonObject): JsonObject => {
  const { id, time, tokens, error } = message;
  const model = modelNameIn(objectIn(message, 'model') ?? {}, 'id');
  return {
    id: id ?? null,
    role: 'assistant',
    time: time ?? null,
    ...defined({ modelID: model, tokens, error }),
    ...more,
  };
};

const answerFrom = (message: JsonObject): JsonObject => ({
  info: infoOf(message, {}),
  parts: (listIn(message, 'content') ?? []).map((part) => (isJsonObject(part) ? partFrom(part) : part)),
});

const partFrom = (part: JsonObject): JsonObject => {
  if (part.type === 'reasoning') return { type: 'reasoning', text: part.text ?? '', metadata: stateOf(part) };
  if (part.type !== 'tool') return part;
  const state = objectIn(part, 'state') ?? {};
  const pruned = objectIn(part, 'time')?.pruned;
  return {
    type: 'tool',
    callID: part.id ?? null,
    tool: part.name ?? null,
    state: {
      ...state,
      output: textsOf(state.content).join('\n'),
      attachments: filesOf(state.content),
      ...(state.status === 'error' && { error: errorText(state) }),
      ...(typeof pruned === 'number' && { time: { compacted: pruned } }),
    },
  };
};

/** Returns the provider's reasoning state under the provider's name in OpenCode 1. */
const stateOf = (part: JsonObject): JsonObject => {
  const named = objectIn(part, 'providerMetadata');
  if (named) return named;
  const state = objectIn(part, 'native') ?? objectIn(part, 'state') ?? {};
  if (typeof state.signature === 'string') return { anthropic: state };
  const encrypted = state.reasoningEncryptedContent ?? state.encryptedContent;
  return typeof encrypted === 'string'
    ? { openai: { ...state, reasoningEncryptedContent: encrypted } }
    : state;
};

const itemsOf = (content: Json | undefined): readonly JsonObject[] =>
  Array.isArray(content) ? content.filter(isJsonObject) : [];

const textsOf = (content: Json | undefined): readonly string[] =>
  itemsOf(content).flatMap((item) => (item.type === 'text' ? [stringIn(item, 'text') ?? ''] : []));

const filesOf = (content: Json | undefined): readonly JsonObject[] =>
  itemsOf(content).flatMap((item) =>
    item.type === 'file'
      ? [
          {
            mime: item.mime ?? '',
            url: item.uri ?? '',
            ...(item.name !== undefined && { filename: item.name }),
          },
        ]
      : [],
  );

const errorText = (state: JsonObject): string => {
  const error = stringIn(objectIn(state, 'error') ?? {}, 'message') ?? stringIn(state, 'error') ?? '';
  return [error, ...textsOf(state.content)].filter((text) => text !== '').join('\n');
};

/** Returns the summary, followed by the recent messages as text. */
const summaryFrom = (message: JsonObject): JsonObject => {
  const [summary, recent] = [stringIn(message, 'summary'), stringIn(message, 'recent')];
  const isDone = message.status === undefined || message.status === 'completed';
  const texts = [
    ...(summary === undefined ? [] : [summary]),
    ...(recent === undefined ? [] : [`<recent-context>\n${recent}\n</recent-context>`]),
  ];
  return {
    info: infoOf(message, { summary: true }),
    parts: [
      ...(isDone ? texts.map((text) => ({ type: 'text', text })) : []),
      { type: 'compaction', ...(message.reason !== undefined && { auto: message.reason === 'auto' }) },
    ],
  };
};
