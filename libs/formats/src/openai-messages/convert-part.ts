import { type Block, blockFrom } from '@app/domain';
import { isJsonObject, type Json } from '@app/kernel';

/** One part of a message's content as a block; `undefined` where it is malformed. */
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
      return imageFrom(isJsonObject(part.image_url) ? part.image_url.url : part.image_url);
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
const BASE64_URL = /^data:([^;,]+)(?:;[^;,]+)*;base64,/;
