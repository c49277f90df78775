import fc from 'fast-check';
import { type Acl, PROJECTED_ACL, STREAM_OPERATIONS, type StreamOperation } from './acl.js';
import { aclOfMetadata, defaultAclsOf } from './acls.js';
import { ANONYMOUS, type Caller } from './caller.js';
import { type AclRules, mayAccess, requiredAccess } from './may-access.js';

const ROLES = ['$all', '$admins', '$ops', 'ann', 'bob', 'staff'];
const role = fc.constantFrom(...ROLES);
const operation = fc.constantFrom(...STREAM_OPERATIONS);
const stream = fc.constantFrom('order-1', '$system', '$all', '$ce-order', 'with$sign');
const user: fc.Arbitrary<Caller> = fc.record({
  kind: fc.constant('user' as const),
  name: fc.constantFrom('ann', 'bob', 'carl'),
  groups: fc.uniqueArray(fc.constantFrom('$ops', 'staff', 'others')),
});
const caller = fc.oneof(user, fc.constant(ANONYMOUS));
const acl: fc.Arbitrary<Acl> = fc
  .uniqueArray(fc.tuple(operation, fc.array(role, { maxLength: 3 })), { selector: ([name]) => name })
  .map((entries) => Object.fromEntries(entries));
const rules: fc.Arbitrary<AclRules> = fc.record({
  acl,
  defaults: fc.record({ user: acl, system: acl }),
  anonymousAccess: fc.boolean(),
});
const none = { user: {}, system: {} };
const plain = (some: Acl = {}): AclRules => ({ acl: some, defaults: none, anonymousAccess: false });
const ann: Caller = { kind: 'user', name: 'ann', groups: ['staff'] };

/** Guarantee: no caller gets more access than the ACLs grant. */
describe('mayAccess', () => {
  const everyCase = (
    holds: (who: Caller, operation: StreamOperation, stream: string, rules: AclRules) => void,
  ): void => fc.assert(fc.property(caller, operation, stream, rules, holds), { numRuns: 2_000 });

  it('grants administrators every operation', () =>
    everyCase((_, wanted, name, given) => {
      const admin: Caller = { kind: 'user', name: 'root', groups: ['$admins'] };
      expect(mayAccess(admin, { operation: wanted, stream: name }, given)).toBe(true);
    }));

  it('grants other users only the rights of `$all`, their name and their groups', () =>
    everyCase((who, wanted, name, given) => {
      if (!mayAccess(who, { operation: wanted, stream: name }, given)) return;
      const kind = name.startsWith('$') ? 'system' : 'user';
      const projected = name === '$ce-order' ? PROJECTED_ACL[wanted] : undefined;
      const said = given.acl[wanted] ?? projected ?? given.defaults[kind][wanted];
      if (said === undefined)
        expect(kind).toBe('user'); // Only `$admins` may use system streams by default.
      else {
        const his = who.kind === 'user' ? ['$all', who.name, ...who.groups] : ['$all'];
        expect(said.some((each) => his.includes(each))).toBe(true);
      }
    }));

  it('denies anonymous callers unless anonymous access is allowed', () =>
    everyCase((_, wanted, name, given) => {
      const closed = { ...given, anonymousAccess: false };
      expect(mayAccess(ANONYMOUS, { operation: wanted, stream: name }, closed)).toBe(false);
    }));

  it('checks only the list of the requested operation', () =>
    everyCase((who, wanted, name, given) => {
      const only = given.acl[wanted];
      const same = { ...given, acl: only ? { [wanted]: only } : {} };
      const required = { operation: wanted, stream: name };
      expect(mayAccess(who, required, same)).toBe(mayAccess(who, required, given));
    }));

  it("prefers the stream's ACL to `$settings`, and that to the built-in one", () => {
    const required = { operation: 'read', stream: 'order-1' } as const;
    const defaults = { user: { read: ['bob'] }, system: {} };
    expect(mayAccess(ann, required, plain())).toBe(true);
    expect(mayAccess(ann, required, { ...plain(), defaults })).toBe(false);
    expect(mayAccess(ann, required, { ...plain({ read: ['staff'] }), defaults })).toBe(true);
    expect(mayAccess(ann, required, plain({ read: [] }))).toBe(false);
  });
});

describe('requiredAccess', () => {
  it.each([
    ['read', '$$order-1', { operation: 'metadataRead', stream: 'order-1' }],
    ['write', '$$order-1', { operation: 'metadataWrite', stream: 'order-1' }],
    ['delete', '$$order-1', undefined],
    ['write', '$$$all', { operation: 'metadataWrite', stream: '$all' }],
    ['write', '$$$$order-1', undefined],
    ['read', '$all', { operation: 'read', stream: '$all' }],
    ['write', '$all', undefined],
    ['delete', '$all', undefined],
    ['write', '$settings', { operation: 'write', stream: '$settings' }],
  ] as const)('maps %s on %s to %j', (wanted, name, required) => {
    expect(requiredAccess(wanted, name)).toEqual(required);
  });
});

describe('roles in metadata', () => {
  const parsed = (value: unknown): Acl => aclOfMetadata(Buffer.from(JSON.stringify(value)));

  it('accepts one role or a list', () =>
    expect(parsed({ $acl: { $r: 'ann', $w: ['bob', 'staff'], $d: '$all', $mr: [], $mw: null } })).toEqual({
      read: ['ann'],
      write: ['bob', 'staff'],
      delete: ['$all'],
      metadataRead: [],
    }));

  it('denies access if the list is malformed', () =>
    expect(parsed({ $acl: { $r: 7 } })).toEqual({ read: [] }));

  it('leaves the default without a list', () => {
    for (const value of [{}, [], 1, null, { $acl: 'x' }]) expect(parsed(value)).toEqual({});
    expect(aclOfMetadata(Buffer.from('{"$acl": '))).toEqual({});
  });

  it('parses the defaults of `$settings`', () =>
    expect(
      defaultAclsOf(Buffer.from('{"$userStreamAcl":{"$r":"staff"},"$systemStreamAcl":{"$r":["$all"]}}')),
    ).toEqual({ user: { read: ['staff'] }, system: { read: ['$all'] } }));
});
