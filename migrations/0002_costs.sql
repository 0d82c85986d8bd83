ALTER TABLE `usage` ADD `cost` integer;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `cost` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `unpriced` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Of replies from before, the cost is not known.
UPDATE `usage_days` SET `unpriced` = `replies`;
