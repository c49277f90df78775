import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({ controllers: [WebhooksController, DeliveriesController] })
export class WebhookRoutesModule {}
