import { z } from 'zod';

/** Body of a request that has no fields: absent, or an empty object. */
export const emptyBody = z.strictObject({});
