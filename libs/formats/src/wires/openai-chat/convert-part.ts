import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/** Returns one content part of a message as a block; `undefined` if it is malformed. */
export const blockOfPart = (part: Json): Block | undefined => {
  if (!isJsonObject(part)) return undefined;
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return blockFrom({ type: 'text', text: part.text });
    case 'refusal':
      return blockFrom({ type: 'text', text: part.refusal });
    case 'image_url':
    case 'input_image':
      // One that the provider keeps has an id alone, and stays its provider's.
      return part.image_url === undefined && typeof part.file_id === 'string'
        ? blockFrom(part)
        : imageFrom(isJsonObject(part.image_url) ? part.image_url.url : part.image_url);
    case 'file':
      return (isJsonObject(part.file) ? documentFrom(part.file) : undefined) ?? blockFrom(part);
    case 'input_file':
      return documentFrom(part) ?? blockFrom(part);
    default:
      return blockFrom(part);
  }
};

/** An image by its URL, which may hold it. */
export const imageFrom = (url: Json | undefined): Block | undefined => {
  if (typeof url !== 'string') return undefined;
  const data = BASE64_URL.exec(url);
  return data === null
    ? { type: 'image', source: { type: 'url', url } }
    : {
        type: 'image',
        source: { type: 'base64', media_type: data[1] ?? '', data: url.slice(data[0].length) },
      };
};
/** A PDF or a text by its bytes, or a file by its address; any other stays its provider's. */
const documentFrom = ({ file_data: data, file_url: url, filename }: JsonObject): Block | undefined => {
  const title = typeof filename === 'string' && filename !== '' ? { title: filename } : {};
  if (typeof url === 'string') return { type: 'document', source: { type: 'url', url }, ...title };
  const found = typeof data === 'string' ? BASE64_URL.exec(data) : null;
  if (found === null || typeof data !== 'string') return undefined;
  const [head, type = ''] = found;
  const bytes = data.slice(head.length);
  if (type === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: type, data: bytes }, ...title };
  if (type !== 'text/plain') return undefined;
  const text = Buffer.from(bytes, 'base64').toString();
  return { type: 'document', source: { type: 'text', media_type: type, data: text }, ...title };
};

const BASE64_URL = /^data:([^;,]+)(?:;[^;,]+)*;base64,/;
