import { randomUUID } from 'node:crypto';
import { CompactionId } from '@app/kernel';

export const newCompactionId = (): CompactionId =>
  CompactionId(`cmp_${randomUUID().replaceAll('-', '').slice(0, 24)}`);
