import { Module } from '@nestjs/common';
import { ExportSessionPageController } from './export-session-page.controller.js';

@Module({ controllers: [ExportSessionPageController] })
export class SessionPageModule {}
