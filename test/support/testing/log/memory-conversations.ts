import type { SessionId, TenantId } from '@app/kernel';
import type { ConversationPlace, Conversations } from '@app/ports';

/** An in-memory conversation index; test/contract/conversations runs the contract against it. */
export const memoryConversations = (): Conversations => {
  const places = new Map<string, ConversationPlace>();
  const digests = new Map<string, string>();
  const keyOf = (tenant: TenantId, what: string): string => `${tenant} ${what}`;
  return {
    find: async (tenant, chains) => {
      const chain = chains.find((one) => places.has(keyOf(tenant, one)));
      const place = chain === undefined ? undefined : places.get(keyOf(tenant, chain));
      return chain !== undefined && place ? { ...place, chain } : undefined;
    },
    remember: async (tenant, session: SessionId, said) => {
      for (const { chain, messages } of said) places.set(keyOf(tenant, chain), { session, messages });
    },
    named: async (tenant, names) =>
      new Map(
        names.flatMap((name) => {
          const digest = digests.get(keyOf(tenant, name));
          return digest === undefined ? [] : [[name, digest] as const];
        }),
      ),
    name: async (tenant, names) => {
      for (const { name, digest } of names) digests.set(keyOf(tenant, name), digest);
    },
  };
};
