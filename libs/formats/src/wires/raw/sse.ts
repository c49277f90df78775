import { isJsonObject, type JsonObject, parseJson } from '@app/kernel';
import { createParser } from 'eventsource-parser';

/** One server-sent event of a provider: its name, if any, and its data, if they are an object. */
export type ServerEvent = { readonly event: string | undefined; readonly data: JsonObject | undefined };

/** The whole events in a part of a stream; an event that is not ended yet is left out. */
export const serverEvents = (text: string): readonly ServerEvent[] => {
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value = parseJson(data);
      events.push({ event, data: isJsonObject(value) ? value : undefined });
    },
  });
  parser.feed(text);
  return events;
};
