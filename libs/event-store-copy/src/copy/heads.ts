import { BoundedMap } from '@app/kernel';

/** Size of the cache; the target is queried for other streams. */
const HEADS_MAX = 50_000;

/** A cache of the last revisions of recently used streams. */
export class Heads extends BoundedMap<string, bigint> {
  constructor() {
    super(HEADS_MAX);
  }
}
