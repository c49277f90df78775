import { Module } from '@nestjs/common';
import { GetAsyncApiController } from './get-asyncapi.controller.js';

@Module({ controllers: [GetAsyncApiController] })
export class AsyncApiModule {}
