import { isJsonObject, type JsonObject } from '@app/kernel';

/** Returns a text, an image or a document as an input part of Responses; `undefined` for any other block. */
export const responsesPart = (block: JsonObject): JsonObject | undefined => {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { type: 'input_text', text: block.text } : undefined;
    case 'image':
      return imagePart(block);
    case 'document':
      return documentPart(block);
    case 'input_image':
    case 'input_file': // Of a file that the provider keeps.
      return block;
    default:
      return undefined;
  }
};

const imagePart = ({ source }: JsonObject): JsonObject | undefined => {
  if (!isJsonObject(source)) return undefined;
  if (typeof source.url === 'string') return { type: 'input_image', image_url: source.url };
  const url = dataUrlOf(source);
  return url === undefined ? undefined : { type: 'input_image', image_url: url };
};

const documentPart = ({ source, title }: JsonObject): JsonObject | undefined => {
  if (!isJsonObject(source)) return undefined;
  if (typeof source.url === 'string') return { type: 'input_file', file_url: source.url };
  const text = documentText(source);
  if (text !== undefined) return { type: 'input_text', text };
  const data = dataUrlOf(source);
  const filename = typeof title === 'string' && title !== '' ? title : UNNAMED;
  return data === undefined ? undefined : { type: 'input_file', filename, file_data: data };
};

/** A file that is sent by its bytes needs a name. */
export const UNNAMED = 'document.pdf';

/** The words of a document that is plain text. */
export const documentText = ({ type, data }: JsonObject): string | undefined =>
  type === 'text' && typeof data === 'string' && data.trim() !== '' ? data : undefined;

/** A source that holds its bytes, as a URL. */
export const dataUrlOf = ({ data, media_type: type }: JsonObject): string | undefined =>
  typeof data === 'string' && typeof type === 'string' ? `data:${type};base64,${data}` : undefined;
