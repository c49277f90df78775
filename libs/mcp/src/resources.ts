import { blockText, ReadMessage } from '@app/application';
import { MessageId } from '@app/kernel';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { refIn } from './results.js';
import type { McpSource } from './source.js';
import { firstOf } from './tools/sessions.js';

/** Sessions that the list of resources names. */
const LISTED_MAX = 100;

const uriOf = (session: string): string => `palimpsest://sessions/${encodeURIComponent(session)}`;
const one = (value: string | string[] | undefined): string =>
  decodeURIComponent(Array.isArray(value) ? (value[0] ?? '') : (value ?? ''));

/** Registers sessions and their messages as resources. */
export const registerResources = (server: McpServer, source: McpSource): void => {
  server.registerResource(
    'session',
    new ResourceTemplate('palimpsest://sessions/{session}', {
      list: async () => ({
        resources: (await firstOf(source.sessions({}), LISTED_MAX)).map(
          ({ session, title, messages, compactions }) => ({
            uri: uriOf(session),
            name: session,
            title: title ?? session,
            description: `${messages} messages, ${compactions} compactions`,
            mimeType: 'application/json',
          }),
        ),
      }),
    }),
    {
      title: 'Session',
      description: 'State of a session without its content: settings, size and compactions',
      mimeType: 'application/json',
    },
    async (uri, { session }) => {
      const { pins, ...state } = await source.show(refIn(source, one(session)));
      const shown = JSON.stringify({ ...state, pins: pins.map(({ pinId, kind }) => ({ pinId, kind })) });
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: shown }] };
    },
  );
  server.registerResource(
    'message',
    new ResourceTemplate('palimpsest://sessions/{session}/messages/{message}', { list: undefined }),
    { title: 'Message', description: 'An original message, one text for each block', mimeType: 'text/plain' },
    async (uri, { session, message }) => {
      const id = MessageId(one(message));
      const query = new ReadMessage(refIn(source, one(session)), { message: id, part: {} });
      const { content } = await source.read(query, { resource: 'message', message: id });
      return {
        contents: content.map((block) => ({ uri: uri.href, mimeType: 'text/plain', text: blockText(block) })),
      };
    },
  );
};
