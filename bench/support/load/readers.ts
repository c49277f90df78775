import type { PalimpsestClient } from '@app/client';

/** The observations of a stream reader. */
export type Reading = {
  /** Returns the ids of a session's messages in order of arrival, once there are `count`. */
  readonly seen: (session: string, count: number) => Promise<readonly string[]>;
};

/** Follows a tenant's stream until `signal` aborts. */
export const followTenant = (client: PalimpsestClient, signal: AbortSignal): Reading => {
  const messages = new Map<string, string[]>();
  let news = (): void => {};
  const follow = async (): Promise<void> => {
    for await (const event of client.stream({ type: 'MessageAppended', from: 'start' }, { signal })) {
      const id = messageIn(event.data);
      messages.set(event.session, [...(messages.get(event.session) ?? []), id]);
      news();
    }
  };
  const ended = follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    seen: async (session, count) => {
      const of = (): readonly string[] => messages.get(session) ?? [];
      while (of().length < count) {
        const change = new Promise<void>((resolve) => {
          news = resolve;
        });
        await Promise.race([change, ended.then(() => Promise.reject(new Error('the stream has ended')))]);
      }
      return of();
    },
  };
};

const messageIn = (data: unknown): string => {
  const message: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'message') : undefined;
  const id: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
  return String(id);
};
