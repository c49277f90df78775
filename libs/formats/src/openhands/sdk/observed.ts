import { type Block, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText, contentBlocks, textBlocks } from '../../drafts/content-blocks.js';
import { listIn, stringIn } from '../../drafts/members.js';
import { blockOfPart, imageFrom } from '../../wires/openai-chat/convert-part.js';

/** Returns the content of an observation for the model, and whether it is a failure; older tools use other names. */
export const observed = (
  observation: JsonObject,
): { readonly content: readonly Block[]; readonly failed: boolean } => {
  const said =
    partsOf(observation.content) ?? partsOf(observation.output) ?? partsOf(observation.message) ?? [];
  const error = stringIn(observation, 'error');
  const isTold = error === undefined || said.some((block) => block.type === 'text' && block.text === error);
  const blocks = [...said, ...(isTold ? [] : textBlocks(error)), ...screenshot(observation)];
  return {
    content: blocks.length > 0 || hasContent(observation) ? blocks : [asText(observation)],
    failed: observation.is_error === true || observation.error === true || error !== undefined,
  };
};

const hasContent = ({ content, output, message }: JsonObject): boolean =>
  [content, output, message].some((said) => typeof said === 'string' || Array.isArray(said));

/** Returns the content of a message, a text or a list of parts, as blocks; `undefined` for any other content. */
export const partsOf = (content: Json | undefined): readonly Block[] | undefined =>
  Array.isArray(content)
    ? content.flatMap((part: Json) => imagesIn(part) ?? contentBlocks([part], blockOfPart) ?? [])
    : typeof content === 'string'
      ? textBlocks(content)
      : undefined;

const imagesIn = (part: Json): readonly Block[] | undefined => {
  const urls = isJsonObject(part) && part.type === 'image' ? listIn(part, 'image_urls') : undefined;
  return urls?.map((url) => imageFrom(url) ?? textBlock(JSON.stringify(url)));
};

/** Returns the image of a browser observation, which has only its bytes in base64. */
const screenshot = (observation: JsonObject): readonly Block[] => {
  const data = stringIn(observation, 'screenshot_data');
  if (data === undefined) return [];
  if (data.startsWith('data:')) return [imageFrom(data)].filter((block) => block !== undefined);
  const [, type = 'image/png'] = MAGIC.find(([head]) => data.startsWith(head)) ?? [];
  return [{ type: 'image', source: { type: 'base64', media_type: type, data } }];
};
/** First characters of images of each media type, in base64. */
const MAGIC = [
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
] as const;
