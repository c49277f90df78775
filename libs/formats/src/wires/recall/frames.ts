import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';

/** One server-sent event: its raw text with the blank line after it, and its data, if they are an object. */
export type Frame = {
  readonly raw: string;
  readonly event: string | undefined;
  readonly data: JsonObject | undefined;
  /** Whether the data are the mark by which OpenAI ends a stream. */
  readonly isDone: boolean;
};

const BETWEEN = /\r\n\r\n|\n\n|\r\r/g;

/** Yields the frames of a stream as soon as they are complete; an incomplete rest is the last frame. */
export async function* framesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    let from = 0;
    for (const { index, 0: mark } of text.matchAll(BETWEEN)) {
      const end = index + mark.length;
      yield frameOf(text.slice(from, end));
      from = end;
    }
    text = text.slice(from);
  }
  text += decoder.decode();
  if (text.trim() !== '') yield frameOf(text);
}

const frameOf = (raw: string): Frame => {
  let event: string | undefined;
  const lines: string[] = [];
  for (const line of raw.split(/\r\n|\n|\r/)) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    if (line.startsWith('data:')) lines.push(line.slice(5).trimStart());
  }
  const text = lines.join('\n');
  const data = text === '' ? undefined : parseJson(text);
  return { raw, event, data: isJsonObject(data) ? data : undefined, isDone: text === '[DONE]' };
};

/** Returns a frame with other data; unchanged if they are equal. */
export const withData = (frame: Frame, data: JsonObject): string =>
  data === frame.data
    ? frame.raw
    : `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${JSON.stringify(data)}\n\n`;
