import { IsoTime } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Module } from '@nestjs/common';
import { CLOCK } from '../symbols.js';

const clock: Clock = { now: () => IsoTime(new Date()) };

/** What time it is. */
@Module({ providers: [{ provide: CLOCK, useValue: clock }], exports: [CLOCK] })
export class ClockModule {}
