import type { ContextProvider } from '@app/ports';
import { Module } from '@nestjs/common';
import { CONTEXT_PROVIDERS } from '../symbols.js';

/** What adds to every request of this process: nothing does by itself. Whoever embeds Palimpsest names its own here. */
const providers: readonly ContextProvider[] = [];

@Module({
  providers: [{ provide: CONTEXT_PROVIDERS, useValue: providers }],
  exports: [CONTEXT_PROVIDERS],
})
export class ContextProvidersModule {}
