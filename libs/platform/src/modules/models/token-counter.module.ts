import { openTokenCounter } from '@app/adapters/tokens-tiktoken';
import { Module } from '@nestjs/common';
import { factoryProvider } from '../../providers.js';
import { TOKEN_COUNTER } from '../../symbols.js';

/** Counts tokens with one vocabulary for all sessions; calibration tells models apart. */
@Module({
  providers: [factoryProvider(TOKEN_COUNTER, {}, () => openTokenCounter())],
  exports: [TOKEN_COUNTER],
})
export class TokenCounterModule {}
