import { Module } from '@nestjs/common';
import { ListPromptsController } from './list-prompts.controller.js';
import { OwnPromptsController } from './own-prompts.controller.js';
import { SummarizersController } from './summarizers.controller.js';

@Module({ controllers: [ListPromptsController, OwnPromptsController, SummarizersController] })
export class SummarizerRoutesModule {}
