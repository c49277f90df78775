import { IssueApiKey, KeyAccess, type KeyDirectory } from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { Actor, IsoTime } from '@app/kernel';
import type { Access, KeyUses, ReadModels } from '@app/ports';
import type { CommandBus } from '@nestjs/cqrs';
import type { Closers } from '../closers.js';
import { logProblem } from '../log-problem.js';

export type AccessParts = {
  readonly directory: KeyDirectory;
  readonly uses: KeyUses;
  readonly readModels: Pick<ReadModels, 'apiKeys'>;
  readonly commands: CommandBus;
  readonly closers: Closers;
};
export type OpenedAccess = {
  readonly access: Access;
  /**
   * Issues the first API key, of an admin of the operator's tenant, if there is neither a key nor a configured one. Call it
   * after the application is initialized, when Nest has registered the command handlers.
   */
  readonly issueFirstKey: (keeper: FirstKeyKeeper) => Promise<void>;
};
/** Stores the first key. */
export type FirstKeyKeeper = {
  /** Prepares storage before the key is issued. @throws {AppError} if the key could not be stored; none is issued then. */
  readonly prepare: () => Promise<(key: string) => Promise<void>>;
};

const clock = { now: () => IsoTime(new Date()) };

/** Opens the directory of API keys, which tells the tenant and the role of a key. */
export const openAccess = async (
  { directory, uses, readModels, commands, closers }: AccessParts,
  configured: string | undefined,
): Promise<OpenedAccess> => {
  const stop = new AbortController();
  closers.add(async () => stop.abort());
  await directory.start(await readModels.apiKeys(), stop.signal);
  const access = new KeyAccess({ directory, uses, clock, onError: logProblem('key-use'), configured });
  const issueFirstKey = async (keeper: FirstKeyKeeper): Promise<void> => {
    if (!directory.isEmpty || configured !== undefined) return;
    const keep = await keeper.prepare();
    const input = { role: 'admin', label: 'bootstrap', expiresAt: null } as const;
    const { key } = await commands.execute(
      new IssueApiKey(OPERATOR_TENANT, input, { actor: Actor('system') }),
    );
    await keep(key);
  };
  return { access, issueFirstKey };
};
