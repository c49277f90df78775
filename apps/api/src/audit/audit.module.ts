import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditReads } from './audit-reads.js';
import { ReportUsageController } from './report-usage.controller.js';
import { SearchCompactionsController } from './search-compactions.controller.js';

@Module({
  providers: [AuditReads],
  controllers: [AuditController, SearchCompactionsController, ReportUsageController],
})
export class AuditRoutesModule {}
