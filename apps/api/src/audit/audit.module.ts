import { Module } from '@nestjs/common';
import { ExportAuditController } from './export-audit.controller.js';
import { ReportUsageController } from './report-usage.controller.js';
import { SearchAuditController } from './search-audit.controller.js';
import { SearchCompactionsController } from './search-compactions.controller.js';
import { TotalAuditController } from './total-audit.controller.js';

@Module({
  controllers: [
    SearchAuditController,
    TotalAuditController,
    ExportAuditController,
    SearchCompactionsController,
    ReportUsageController,
  ],
})
export class AuditRoutesModule {}
