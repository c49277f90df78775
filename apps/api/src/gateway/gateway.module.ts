import { Module } from '@nestjs/common';
import { CompactResponseController } from './compact-response.controller.js';
import { CountTokensController } from './count-tokens.controller.js';
import { CreateChatCompletionController } from './create-chat-completion.controller.js';
import { CreateMessageController } from './create-message.controller.js';
import { CreateResponseController } from './create-response.controller.js';
import { GatewayEntry } from './gateway-entry.js';
import { ListAnthropicModelsController } from './models/list-anthropic-models.controller.js';
import { ListOpenAiModelsController } from './models/list-openai-models.controller.js';
import { ShowAnthropicModelController } from './models/show-anthropic-model.controller.js';
import { ShowOpenAiModelController } from './models/show-openai-model.controller.js';

@Module({
  controllers: [
    CreateMessageController,
    CountTokensController,
    CreateChatCompletionController,
    CreateResponseController,
    CompactResponseController,
    ListAnthropicModelsController,
    ShowAnthropicModelController,
    ListOpenAiModelsController,
    ShowOpenAiModelController,
  ],
  providers: [GatewayEntry],
})
export class GatewayRoutesModule {}
