import { manageUsers } from '@app/embedded-event-store';
import { AccessDeniedError, type EventStoreDBClient } from '@eventstore/db-client';
import usersPb, { type DetailsResp } from '@eventstore/db-client/generated/users_pb.js';
import { type ServiceError, status } from '@grpc/grpc-js';
import { describeEmbedded } from './support/contract-server.js';
import { collect, counted } from './support/events.js';
import { ADMIN, OPS, SecureServer } from './support/secure-server.js';

describeEmbedded('users', () => {
  let server: SecureServer;
  beforeAll(async () => {
    server = await SecureServer.start();
    await server.clientOf(ADMIN).appendToStream('open', counted(0));
  });
  afterAll(() => server.remove());

  const done = (call: (answer: (fault: ServiceError | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => call((fault) => (fault ? reject(fault) : resolve())));
  const create = (by: string, login: string, groups: string[] = [], password = 'secret') => {
    const options = new usersPb.CreateReq.Options();
    options.setLoginName(login).setPassword(password).setFullName(`Name of ${login}`).setGroupsList(groups);
    return done((answer) => server.usersOf(by).create(new usersPb.CreateReq().setOptions(options), answer));
  };
  const disable = (by: string, login: string) => {
    const options = new usersPb.DisableReq.Options().setLoginName(login);
    return done((answer) => server.usersOf(by).disable(new usersPb.DisableReq().setOptions(options), answer));
  };
  const enable = (by: string, login: string) => {
    const options = new usersPb.EnableReq.Options().setLoginName(login);
    return done((answer) => server.usersOf(by).enable(new usersPb.EnableReq().setOptions(options), answer));
  };
  const changePassword = (by: string, login: string, from: string, to: string) => {
    const options = new usersPb.ChangePasswordReq.Options();
    options.setLoginName(login).setCurrentPassword(from).setNewPassword(to);
    const request = new usersPb.ChangePasswordReq().setOptions(options);
    return done((answer) => server.usersOf(by).changePassword(request, answer));
  };
  const details = async (by: string, login: string) => {
    const options = new usersPb.DetailsReq.Options().setLoginName(login);
    const call: AsyncIterable<DetailsResp> = server
      .usersOf(by)
      .details(new usersPb.DetailsReq().setOptions(options));
    const users = await collect(call);
    return users.map((user) => user.getUserDetails()?.toObject());
  };
  const failsWith = (call: Promise<unknown>, code: status): Promise<void> =>
    expect(call).rejects.toMatchObject({ code });
  const read = (client: EventStoreDBClient) => collect(client.readStream('open'));
  const mayRead = async (user: string): Promise<boolean> => {
    try {
      await read(server.clientOf(user));
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(AccessDeniedError);
      return false;
    }
  };

  it('are admin and ops initially', async () => {
    expect(await details(ADMIN, '')).toMatchObject([
      { loginName: 'admin', groupsList: ['$admins'], disabled: false },
      { loginName: 'ops', groupsList: ['$ops'], disabled: false },
    ]);
  });

  it('are created, changed, disabled, enabled and removed by administrators', async () => {
    await create(ADMIN, 'ann', ['staff']);
    expect(await mayRead('ann:secret')).toBe(true);
    await failsWith(create(ADMIN, 'ann'), status.FAILED_PRECONDITION);

    const update = new usersPb.UpdateReq.Options();
    update.setLoginName('ann').setFullName('Ann').setGroupsList(['a', 'b']);
    await done((answer) => server.usersOf(ADMIN).update(new usersPb.UpdateReq().setOptions(update), answer));
    expect(await details(ADMIN, 'ann')).toMatchObject([{ fullName: 'Ann', groupsList: ['a', 'b'] }]);
    expect(await mayRead('ann:secret')).toBe(true);

    await disable(ADMIN, 'ann');
    expect(await mayRead('ann:secret')).toBe(false);
    await enable(ADMIN, 'ann');
    expect(await mayRead('ann:secret')).toBe(true);

    const reset = new usersPb.ResetPasswordReq.Options().setLoginName('ann').setNewPassword('other');
    const request = new usersPb.ResetPasswordReq().setOptions(reset);
    await done((answer) => server.usersOf(ADMIN).resetPassword(request, answer));
    expect([await mayRead('ann:secret'), await mayRead('ann:other')]).toEqual([false, true]);

    const options = new usersPb.DeleteReq.Options().setLoginName('ann');
    await done((answer) => server.usersOf(ADMIN).delete(new usersPb.DeleteReq().setOptions(options), answer));
    expect(await mayRead('ann:other')).toBe(false);
    await failsWith(disable(ADMIN, 'ann'), status.NOT_FOUND);
  });

  it('may change their own password and read their own details only', async () => {
    await create(ADMIN, 'bob');
    await failsWith(changePassword('bob:secret', 'bob', 'wrong', 'mine'), status.PERMISSION_DENIED);
    await changePassword('bob:secret', 'bob', 'secret', 'mine');
    expect([await mayRead('bob:secret'), await mayRead('bob:mine')]).toEqual([false, true]);
    expect(await details('bob:mine', 'bob')).toMatchObject([{ loginName: 'bob' }]);
    await failsWith(details('bob:mine', 'admin'), status.PERMISSION_DENIED);
    await failsWith(details('bob:mine', ''), status.PERMISSION_DENIED);
    await failsWith(changePassword('bob:mine', 'admin', 'changeit', 'x'), status.PERMISSION_DENIED);
    await failsWith(create('bob:mine', 'carl'), status.PERMISSION_DENIED);
    await failsWith(create(OPS, 'carl'), status.PERMISSION_DENIED);
    await failsWith(create('admin:wrong', 'carl'), status.UNAUTHENTICATED);
  });

  it.each(['', '$all', 'with space', 'with:colon', 'x'.repeat(200)])('have no name such as "%s"', (login) =>
    failsWith(create(ADMIN, login), status.INVALID_ARGUMENT),
  );

  it('may have a password of any characters, but not an empty one', async () => {
    await create(ADMIN, 'dora', [], 'p:ä$s/ß🙂');
    expect(await details('dora:p:ä$s/ß🙂', 'dora')).toHaveLength(1);
    await failsWith(create(ADMIN, 'erik', [], ''), status.INVALID_ARGUMENT);
  });

  it('include an administrator after every start, also after an interrupted first one', async () => {
    const { dataDir } = server;
    await server.stop();
    await manageUsers(dataDir, (users) => users.remove('admin'));
    server = await SecureServer.start({ defaultOpsPassword: 'not asked for' }, dataDir);
    expect([await mayRead(ADMIN), await mayRead(OPS)]).toEqual([true, true]);
  });

  it('are persistent, and can be changed while the server is stopped', async () => {
    await create(ADMIN, 'fred', ['staff']);
    const { dataDir } = server;
    await expect(manageUsers(dataDir, async (users) => users.list())).rejects.toMatchObject({
      code: 'data-folder-in-use',
    });
    await server.stop();
    await manageUsers(dataDir, (users) => users.setPassword('admin', 'forgotten'));
    await expect(manageUsers(dataDir, (users) => users.remove('nobody'))).rejects.toMatchObject({
      code: 'user-not-found',
    });
    const text = await manageUsers(dataDir, async (users) => JSON.stringify(users.list()));
    expect(text).not.toMatch(/forgotten|secret/);
    server = await SecureServer.start({}, dataDir);
    expect(await details('admin:forgotten', 'fred')).toMatchObject([{ groupsList: ['staff'] }]);
    expect(await mayRead('fred:secret')).toBe(true);
    expect(await mayRead(ADMIN)).toBe(false);
  });
});
