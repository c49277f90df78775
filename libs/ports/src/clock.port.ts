import type { IsoTime } from '@app/kernel';

export interface Clock {
  now(): IsoTime;
}
