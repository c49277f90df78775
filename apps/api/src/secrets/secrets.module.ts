import { Module } from '@nestjs/common';
import { ListSecretsController } from './list-secrets.controller.js';
import { PutSecretController } from './put-secret.controller.js';
import { RemoveSecretController } from './remove-secret.controller.js';

@Module({ controllers: [ListSecretsController, PutSecretController, RemoveSecretController] })
export class SecretRoutesModule {}
