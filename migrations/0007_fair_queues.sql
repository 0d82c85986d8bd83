CREATE TABLE `webhook_leases` (
	`tenant_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `endpoint_id`, `delivery_id`, `attempt`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `webhook_deliveries_due`;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `waits` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `overdue_at` text;--> statement-breakpoint
UPDATE `webhook_deliveries` SET `overdue_at` = `next_attempt_at` WHERE `status` = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_overdue` ON `webhook_deliveries` (`overdue_at`) WHERE "webhook_deliveries"."overdue_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`tenant_id`,`endpoint_id`,`next_attempt_at`) WHERE "webhook_deliveries"."waits" = 1;--> statement-breakpoint
ALTER TABLE `sessions` ADD `removal_due_at` text;--> statement-breakpoint
UPDATE `sessions` SET `removal_due_at` = `deleted_at` WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_removals` ON `sessions` (`removal_due_at`) WHERE "sessions"."removal_due_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `disabled_untold` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `circuit_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `circuit_retry_at` text;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_untold` ON `webhook_endpoints` (`disabled_at`) WHERE "webhook_endpoints"."disabled_untold" = 1;