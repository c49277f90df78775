import { Module } from '@nestjs/common';
import { CountTokensController } from './count-tokens.controller.js';
import { CreateChatCompletionController } from './create-chat-completion.controller.js';
import { CreateMessageController } from './create-message.controller.js';
import { CreateResponseController } from './create-response.controller.js';
import { GatewayEntry } from './gateway-entry.js';

@Module({
  controllers: [
    CreateMessageController,
    CountTokensController,
    CreateChatCompletionController,
    CreateResponseController,
  ],
  providers: [GatewayEntry],
})
export class GatewayRoutesModule {}
