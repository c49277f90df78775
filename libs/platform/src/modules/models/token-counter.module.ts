import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { Module } from '@nestjs/common';
import { TOKEN_COUNTER } from '../../symbols.js';

/** What counts tokens: one vocabulary for all sessions until calibration tells models apart. */
@Module({
  providers: [{ provide: TOKEN_COUNTER, useFactory: openTokenCounter }],
  exports: [TOKEN_COUNTER],
})
export class TokenCounterModule {}
