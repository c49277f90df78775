import { Module } from '@nestjs/common';
import { ChangeWebhookController } from './change-webhook.controller.js';
import { ListDeliveriesController } from './deliveries/list-deliveries.controller.js';
import { ReplayDeliveryController } from './deliveries/replay-delivery.controller.js';
import { SkipDeliveryController } from './deliveries/skip-delivery.controller.js';
import { ListWebhooksController } from './list-webhooks.controller.js';
import { RegisterWebhookController } from './register-webhook.controller.js';
import { RemoveWebhookController } from './remove-webhook.controller.js';
import { RotateWebhookSecretController } from './rotate-webhook-secret.controller.js';
import { TestWebhookController } from './test-webhook.controller.js';

@Module({
  controllers: [
    ChangeWebhookController,
    ListDeliveriesController,
    ListWebhooksController,
    RegisterWebhookController,
    RemoveWebhookController,
    ReplayDeliveryController,
    RotateWebhookSecretController,
    SkipDeliveryController,
    TestWebhookController,
  ],
})
export class WebhookRoutesModule {}
