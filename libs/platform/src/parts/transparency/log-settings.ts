import { readFileSync } from 'node:fs';
import { AppError } from '@app/kernel';
import { formatVerifierKey, type Policy, parsePolicy, TlogError, type VerifierKey } from '@app/tlog';
import { z } from 'zod';

/** Settings of the transparency logs. */
export const transparencySettings = {
  /** Whether checkpoints carry a second signature, by ML-DSA-44, which quantum computers cannot forge. */
  PALIMPSEST_LOG_ML_DSA: z.enum(['on', 'off'], { error: 'give on or off' }).default('off'),
  /** A file in the form of tlog-policy: the witnesses of all logs with their URLs, and the quorum. */
  PALIMPSEST_WITNESSES: z.string().min(1).optional(),
  /** A file in the form of tlog-policy with the keys of the logs that this installation witnesses. */
  PALIMPSEST_WITNESS_LOGS: z.string().min(1).optional(),
  /** Name of this installation's witness in its keys. */
  PALIMPSEST_WITNESS_NAME: z
    .string()
    .regex(/^[^\s+\p{Cc}]{1,200}$/u, 'give a name without spaces and "+", such as witness.example.com/w1')
    .optional(),
};

type Settings = { readonly [Name in keyof typeof transparencySettings]?: string | undefined };

/** A witness with the keys of logs has a name. */
export const requireWitnessName = (
  { PALIMPSEST_WITNESS_LOGS: logs, PALIMPSEST_WITNESS_NAME: name }: Settings,
  context: z.RefinementCtx,
): void => {
  if (logs !== undefined && name === undefined)
    context.addIssue({
      code: 'custom',
      path: ['PALIMPSEST_WITNESS_NAME'],
      message: 'give a name such as witness.example.com/w1 with PALIMPSEST_WITNESS_LOGS',
    });
};

/** No witness has to cosign a log by the log's own policy; readers of proofs can ask for some in theirs. */
const NO_WITNESSES = 'quorum none\n';
/** The policy is an entry of each log, and an entry has at most 65,535 bytes. */
const POLICY_BYTES_MAX = 49_152;

/** @throws {AppError} `invalid-configuration` for a file of witnesses that is none. */
export const logSettings = ({
  PALIMPSEST_LOG_ML_DSA: second,
  PALIMPSEST_WITNESSES: file,
}: Pick<Settings, 'PALIMPSEST_LOG_ML_DSA' | 'PALIMPSEST_WITNESSES'>) => {
  const policy = file === undefined ? parsePolicy(NO_WITNESSES) : witnessesIn(file);
  return { policy, witnessPolicy: policyText(policy), secondSignature: second === 'on' };
};

const witnessesIn = (file: string): Policy => {
  const policy = policyIn('PALIMPSEST_WITNESSES', file);
  const faulty = (problem: string): AppError => wrong('PALIMPSEST_WITNESSES', file, problem);
  if (policy.logs.length > 0) throw faulty('it names logs: leave the lines "log" out');
  if (policy.witnesses.length === 0) throw faulty('it names no witness: give lines "witness NAME VKEY URL"');
  for (const { name, url } of policy.witnesses)
    if (!z.url({ protocol: /^https?$/ }).safeParse(url).success)
      throw faulty(
        `give the witness ${name} a URL behind its key: https://HOST/PATH, to which add-checkpoint is added`,
      );
  if (Buffer.byteLength(policyText(policy)) > POLICY_BYTES_MAX)
    throw faulty(`it has more than ${POLICY_BYTES_MAX} bytes: give fewer witnesses`);
  return policy;
};

/** Returns the keys of the logs that this installation witnesses. @throws {AppError} `invalid-configuration`. */
export const witnessedLogKeys = ({
  PALIMPSEST_WITNESS_LOGS: file,
}: Pick<Settings, 'PALIMPSEST_WITNESS_LOGS'>): readonly VerifierKey[] => {
  if (file === undefined) return [];
  const { logs } = policyIn('PALIMPSEST_WITNESS_LOGS', file);
  if (logs.length === 0)
    throw wrong('PALIMPSEST_WITNESS_LOGS', file, 'it names no log: give lines "log VKEY", and "quorum none"');
  return logs.map(({ key }) => key);
};

/** Without comments. */
const policyText = ({ witnesses, groups, quorum }: Policy): string =>
  [
    ...witnesses.map(({ name, key, url }) => `witness ${name} ${formatVerifierKey(key)} ${url}\n`),
    ...groups.map(({ name, threshold, members }) => `group ${name} ${threshold} ${members.join(' ')}\n`),
    `quorum ${quorum}\n`,
  ].join('');

const policyIn = (setting: string, file: string): Policy => {
  try {
    return parsePolicy(readFileSync(file));
  } catch (error) {
    if (error instanceof TlogError) throw wrong(setting, file, error.message);
    throw wrong(setting, file, 'it cannot be read: give a readable file in the form of tlog-policy');
  }
};

const wrong = (setting: string, file: string, problem: string): AppError =>
  new AppError('invalid-configuration', `the configuration is wrong: ${setting}: ${file}: ${problem}`);
