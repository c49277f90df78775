import { Module } from '@nestjs/common';
import { AuditReads } from './audit-reads.js';
import { ExportAuditController } from './export-audit.controller.js';
import { ListAuditReadsController } from './list-audit-reads.controller.js';
import { ReportUsageController } from './report-usage.controller.js';
import { SearchAuditController } from './search-audit.controller.js';
import { SearchCompactionsController } from './search-compactions.controller.js';
import { TotalAuditController } from './total-audit.controller.js';

@Module({
  providers: [AuditReads],
  controllers: [
    SearchAuditController,
    TotalAuditController,
    ExportAuditController,
    SearchCompactionsController,
    ReportUsageController,
    ListAuditReadsController,
  ],
})
export class AuditRoutesModule {}
