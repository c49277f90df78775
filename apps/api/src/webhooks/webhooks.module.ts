import { Module } from '@nestjs/common';
import { ChangeWebhookController } from './change-webhook.controller.js';
import { ListDeliveriesController } from './list-deliveries.controller.js';
import { ListWebhooksController } from './list-webhooks.controller.js';
import { RegisterWebhookController } from './register-webhook.controller.js';
import { RemoveWebhookController } from './remove-webhook.controller.js';
import { ReplayDeliveryController } from './replay-delivery.controller.js';
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
    TestWebhookController,
  ],
})
export class WebhookRoutesModule {}
