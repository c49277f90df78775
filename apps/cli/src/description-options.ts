import { isName, isWellFormed, LIMITS, nearestOf, pick, setMember } from '@app/kernel';
import type { DescriptionFilter, LabelGroup } from '@app/ports';
import { type Command, InvalidArgumentError, Option } from 'commander';

const name =
  (max: number) =>
  (text: string): string => {
    if (isName(text, max)) return text;
    throw new InvalidArgumentError(`give a text of 1 to ${max} characters without control characters`);
  };
export const title = name(LIMITS.title.max);
export const agent = name(LIMITS.agentName.max);
export const project = name(LIMITS.project.max);
export const profileName = name(LIMITS.profileName.max);
/** User and customer IDs, which are stored as labels. */
export const user = name(LIMITS.labelValue.max);
export const customer = name(LIMITS.labelValue.max);

/** Returns the labels together with those of the user and the customer. */
export const withIdentity = (
  labels: Labels,
  given: { readonly user?: string; readonly customer?: string },
): Labels => ({ ...labels, ...pick(given, 'user', 'customer') });

type Labels = Readonly<Record<string, string>>;

/** Adds the label `name=value` of a repeated option. */
export const label = (text: string, before: Labels): Labels => {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('give name=value');
  if (!isName(key, LIMITS.labelName.max) || value.length > LIMITS.labelValue.max || !isWellFormed(value))
    throw new InvalidArgumentError(
      `give a text of at most ${LIMITS.labelValue.max} characters by a name of at most ${LIMITS.labelName.max}`,
    );
  const labels = { ...before };
  setMember(labels, key, value);
  if (Object.keys(labels).length <= LIMITS.labels.max) return labels;
  throw new InvalidArgumentError(`give at most ${LIMITS.labels.max} labels`);
};

/** Adds the name of a label that a repeated option removes. */
export const labelName = (text: string, before: readonly string[]): readonly string[] => {
  if (isName(text, LIMITS.labelName.max)) return [...before, text];
  throw new InvalidArgumentError(`give the name of a label, of at most ${LIMITS.labelName.max} characters`);
};

type LabelFilters = NonNullable<DescriptionFilter['labels']>;

/** Adds a label to filter by: its name, or `name=value`. */
const labelFilter = (text: string, before: LabelFilters): LabelFilters => {
  const at = text.indexOf('=');
  const one = at < 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
  if (!isName(one.name, LIMITS.labelName.max)) throw new InvalidArgumentError('give name or name=value');
  return [...before, one];
};

/** Options that filter by the current metadata of sessions. */
export type DescriptionOptions = {
  readonly agent?: string;
  readonly project?: string;
  readonly user?: string;
  readonly customer?: string;
  readonly label: LabelFilters;
};

export const withDescriptionFilters = (command: Command): Command =>
  command
    .option('--agent <agent>', 'of this program, such as claude-code', agent)
    .option('--project <project>', 'of this project', project)
    .option('--user <id>', 'of this user: with this label "user"', user)
    .option('--customer <id>', 'of this customer: with this label "customer"', customer)
    .option('--label <name[=value]>', 'with this label; may be repeated', labelFilter, []);

export const descriptionFilterIn = (options: DescriptionOptions): DescriptionFilter => {
  const identity = Object.entries(withIdentity({}, options)).map(([label, value]) => ({
    name: label,
    value,
  }));
  const labels = [...options.label, ...identity];
  return {
    ...pick(options, 'agent', 'project'),
    ...(labels.length > 0 && { labels }),
  };
};

/** Returns an option for a dimension of totals: one of the names, or `label:` and the name of a label. */
export const groupOption = <const Name extends string>(names: readonly Name[]): Option =>
  new Option('--by <group>', `one row for each: ${names.join(', ')}, or label:NAME`).argParser(
    (text): Name | LabelGroup => {
      const name = names.find((one) => one === text);
      if (name !== undefined) return name;
      if (isLabelGroup(text)) return text;
      const nearest = nearestOf(text, names);
      const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      throw new InvalidArgumentError(`give one of ${names.join(', ')}, or label:NAME${hint}`);
    },
  );

const LABEL_GROUP = 'label:';
const isLabelGroup = (text: string): text is LabelGroup =>
  text.startsWith(LABEL_GROUP) && isName(text.slice(LABEL_GROUP.length), LIMITS.labelName.max);
