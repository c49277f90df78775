import { Module } from '@nestjs/common';
import { SignInController } from './sign-in.controller.js';

@Module({ controllers: [SignInController] })
export class SignInModule {}
