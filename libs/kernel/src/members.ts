/** Returns the named members of an object, without those that it lacks. */
export const pick = <From extends object, Name extends keyof From>(
  from: From,
  ...names: readonly Name[]
): Pick<From, Name> => {
  const picked: Partial<Pick<From, Name>> = {};
  for (const name of names) if (Object.hasOwn(from, name)) picked[name] = from[name];
  // Members that the type requires are there.
  return picked as Pick<From, Name>;
};

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
