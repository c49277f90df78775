import { Module } from '@nestjs/common';
import { ShowErrorController } from './show-error.controller.js';

@Module({ controllers: [ShowErrorController] })
export class ErrorPagesModule {}
