type Optional<Members> = {
  [Name in keyof Members]: undefined extends Members[Name] ? Name : never;
}[keyof Members];

/** Members that may be `undefined` as members that may be absent. */
type Defined<Members> = Omit<Members, Optional<Members>> & {
  [Name in Optional<Members>]?: Exclude<Members[Name], undefined>;
};

/** Returns an object without the members that are `undefined`. */
export const defined = <Members extends object>(members: Members): Defined<Members> =>
  // Only members that the type has as optional may be `undefined`.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;

/** Returns the named members of an object, in the order of the names, without those that are `undefined`. */
export const pick = <From extends object, Name extends keyof From & string>(
  from: From,
  ...names: readonly Name[]
): Defined<Pick<From, Name>> => {
  const members = new Map<string, unknown>(Object.entries(from));
  const picked = names.filter((name) => members.get(name) !== undefined);
  // Exactly the named members: those that the type requires are never `undefined`.
  return Object.fromEntries(picked.map((name) => [name, members.get(name)])) as Defined<Pick<From, Name>>;
};

/** Whether two lists have the same items, compared by identity. */
export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
