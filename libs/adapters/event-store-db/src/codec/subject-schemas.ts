import { z } from 'zod';

const id = z.string().min(1);

/** Fingerprints of data subjects. */
export const subjects = z.array(id);
export const erased = z.object({
  by: id,
  at: z.string(),
  erasure: id,
  scope: z.enum(['subject', 'session', 'tenant']),
});
/** The data subjects of content, and its erasure. */
export const ofSubjects = { subjects: subjects.optional(), erased: erased.optional() };
