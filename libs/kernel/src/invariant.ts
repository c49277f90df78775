/** A defect of ours, never a caller's mistake: it is not caught to carry on. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** Asserts an invariant. The message contains values that are safe to log: ids and counts, never content. */
export function invariant(holds: unknown, message: string): asserts holds {
  if (!holds) throw new InvariantViolation(message);
}
