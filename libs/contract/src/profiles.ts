import { isField, PER_MODEL_FIELDS, PROFILE_FIELDS, type Profile, type ProfileSource } from '@app/domain';
import { isJsonObject, LIMITS } from '@app/kernel';
import { z } from 'zod';
import { reasoningPolicy, stageName } from './facts.js';
import { ladderPolicy } from './requests.js';
import { branded } from './scalars.js';
import type { Shape } from './shape.js';

export const profileMode = z.enum(['automatic', 'authorized', 'off']).meta({
  id: 'ProfileMode',
  description:
    '`automatic` compacts when a threshold is crossed; `authorized` only on the user’s word; `off` never: compactions are refused, no stage runs, and the caller has to handle a request that does not fit',
});

/** Fields with values that other shapes have, too. */
const SHARED: { readonly [Field in keyof Profile]?: z.ZodType<Profile[Field]> } = {
  mode: profileMode,
  stages: z.array(stageName),
  ladder: ladderPolicy,
  reasoning: reasoningPolicy,
  triggerBy: z.enum(['share', 'reserve', 'usable-budget']).meta({ id: 'TriggerMeasure' }),
};

const fieldSchema = (name: keyof Profile): z.ZodType => {
  const { schema, description } = PROFILE_FIELDS[name];
  return (SHARED[name] ?? z.custom<Profile[typeof name]>().meta(schema)).describe(description);
};
const fieldSchemas = (names: readonly (keyof Profile)[]): Record<string, z.ZodType> =>
  Object.fromEntries(names.map((name) => [name, fieldSchema(name)]));

const modelOverrides = z
  .object({ model: z.string().describe('Name of the model; `*` stands for any characters') })
  .extend(z.object(fieldSchemas(PER_MODEL_FIELDS)).partial().shape)
  .meta({ id: 'ModelOverrides', description: 'Other values of a profile’s fields for some models' });

/** A complete profile. `PROFILE_FIELDS` of the domain describes its fields. */
export const profile = branded<Profile>(
  z
    .object({
      ...fieldSchemas(Object.keys(PROFILE_FIELDS).filter(isField)),
      perModel: z.array(modelOverrides).describe(PROFILE_FIELDS.perModel.description),
    })
    .meta({
      id: 'Profile',
      description: 'A compaction policy. Each session records every field of its policy',
    }),
);

/** A profile as callers give it; the domain validates its fields. */
export const profileSource = z
  .union([
    z.string().min(1).max(LIMITS.profileName.max),
    z.custom<ProfileSource & object>(isJsonObject, 'give a JSON object').meta({ type: 'object' }),
  ])
  .meta({
    id: 'ProfileSource',
    description: 'A compaction policy: the name of a profile, or a profile object',
  });

const profileTheme = z
  .enum(['summary', 'cut', 'stages', 'name', 'budget', 'triggers', 'size', 'failure'])
  .meta({
    id: 'ProfileTheme',
    description:
      'The rules that a field belongs to: the headings under which the guide to compaction explains them',
  });

export const profileSummary = z
  .object({ stages: z.array(stageName), name: z.string(), mode: profileMode, description: z.string() })
  .meta({ id: 'ProfileSummary' });

const explainedField = z
  .object({
    field: z.string(),
    value: z
      .union([z.string(), z.int(), z.boolean(), z.array(z.string()), z.array(modelOverrides)])
      .exactOptional(),
    description: z.string().describe('Its meaning and its valid values'),
    expects: z.string(),
    theme: profileTheme.describe('Group of rules: a heading of the compaction guide'),
    isDefault: z.boolean().describe('Whether the value equals that of the default profile'),
  })
  .meta({ id: 'ExplainedField' });

export const profileExplanation = z
  .object({ profile: z.string(), fields: z.array(explainedField) })
  .meta({ id: 'ProfileExplanation' });

export type ProfileSummary = Shape<typeof profileSummary>;
export type ExplainedField = Shape<typeof explainedField>;
