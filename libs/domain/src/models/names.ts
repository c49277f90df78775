/** The seller of a model: its vendor, or a third party with its own prices. */
export type Seller = 'vendor' | 'bedrock' | 'vertex' | 'router';

/** A candidate name of a model, and the rules that derived it. */
export type Candidate = {
  readonly name: string;
  readonly seller: Seller;
  readonly rules: readonly NameRule[];
};

/** Every rule by which a name is read, in their order. */
const RULES = [
  { rule: 'bedrock-arn', form: /^arn:aws[\w-]*:bedrock:[^/]*\/(?:.*\/)?([^/]+)$/, seller: 'bedrock' },
  { rule: 'vertex-path', form: /^(?:projects\/.+\/)?publishers\/[\w-]+\/models\/([^/]+)$/, seller: 'vertex' },
  {
    rule: 'router-prefix',
    form: /^(?:openrouter\/)?(?:anthropic|openai|azure|github-copilot|vercel)\/([^/]+)$/,
    seller: 'router',
  },
  { rule: 'cloud-prefix', form: /^(?:bedrock\/(?:converse\/|invoke\/)?)(.+)$/, seller: 'bedrock' },
  { rule: 'cloud-prefix', form: /^(?:vertex_ai|vertex)\/(?:claude\/)?(.+)$/, seller: 'vertex' },
  {
    rule: 'bedrock-region',
    form: /^(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.((?:anthropic|openai)\..+)$/,
    seller: 'bedrock',
  },
  { rule: 'bedrock-vendor', form: /^(?:anthropic|openai)\.(.+)$/, seller: 'bedrock' },
  { rule: 'bedrock-version', form: /^(.+?)-v\d+(?::\d+)?(?::\d+k)?$/, seller: 'bedrock' },
  { rule: 'vertex-version', form: /^([^@]+)@(?:default|latest)$/, seller: 'vertex' },
] as const;

/** Rules that say nothing of who sells it. */
const SPELLINGS = [
  { rule: 'dotted-version', form: /^(claude-.*\d)\.(\d.*)$/, write: '$1-$2' },
  { rule: 'dated', form: /^(.+)-20\d{6}$/, write: '$1' },
  { rule: 'dated', form: /^(.+)-20\d\d-\d\d-\d\d$/, write: '$1' },
  { rule: 'latest', form: /^(.+)-latest$/, write: '$1' },
] as const;

export type NameRule =
  | (typeof RULES)[number]['rule']
  | (typeof SPELLINGS)[number]['rule']
  | 'vertex-dated'
  | 'lower-case';

/**
 * Returns the candidate names for `asked`, most exact first: unchanged, without the affixes of clouds and routers,
 * without its date. Nothing is guessed: `claude-opus-9` never resolves to `claude-opus-8`.
 */
export const candidatesOf = (asked: string): readonly Candidate[] => {
  const found: Candidate[] = [{ name: asked, seller: 'vendor', rules: [] }];
  const last = (): Candidate => found.at(-1) ?? { name: asked, seller: 'vendor', rules: [] };
  const add = (name: string, rule: NameRule, seller?: Seller): void => {
    const before = last();
    if (name === before.name) return;
    found.push({ name, seller: seller ?? before.seller, rules: [...before.rules, rule] });
  };
  add(asked.trim().toLowerCase(), 'lower-case');
  for (const { rule, form, seller } of RULES) {
    const name = form.exec(last().name)?.[1];
    // The suffix `-v2` may belong to the name. It counts only after another rule has found Bedrock.
    const isSaid = rule !== 'bedrock-version' || last().seller === 'bedrock';
    if (name !== undefined && isSaid) add(name, rule, seller);
  }
  const vertexDated = /^([^@]+)@(20\d{6})$/.exec(last().name);
  if (vertexDated) add(`${vertexDated[1]}-${vertexDated[2]}`, 'vertex-dated', 'vertex');
  for (const { rule, form, write } of SPELLINGS) add(last().name.replace(form, write), rule);
  return found;
};

/** Returns whether one name is a candidate of the other: a provider answers with the dated name of an undated one. */
export const isSameModel = (a: string, b: string): boolean =>
  candidatesOf(a).some(({ name }) => name === b) || candidatesOf(b).some(({ name }) => name === a);
