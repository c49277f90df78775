import { type Block, type ImageBlock, isText, type Message } from '@palimpsest/client';

/** Returns a tool in Anthropic's form. */
export const toolOf = (
  name: string | undefined,
  description = '',
  schema: unknown = { type: 'object' },
): object => ({ name, description, input_schema: schema });

/** Whether a message says anything: models may answer nothing, and the service takes no such message. */
export const hasContent = ({ content }: Message): boolean => content.length > 0;

/** Returns the text of blocks; others are left out. */
export const textIn = (blocks: readonly Block[], separator = '\n\n'): string =>
  blocks
    .filter(isText)
    .map(({ text }) => text)
    .join(separator);

/** Returns the messages of an answer with the name of its model; results of tools are not the model's. */
export const saidBy = (model: string | undefined, messages: readonly Message[]): readonly Message[] =>
  messages.map((message) => ({
    ...message,
    ...(message.role === 'assistant' && model !== undefined && { model }),
  }));

/** Returns an image with its bytes in base64. */
export const imageOf = (media_type: string, data = ''): ImageBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
