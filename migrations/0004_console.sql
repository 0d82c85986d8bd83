CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`key_id` text NOT NULL,
	`scopes` text,
	`link_hash` text NOT NULL,
	`link_expires_at` text NOT NULL,
	`created_at` text NOT NULL,
	`hash` text,
	`started_at` text,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`ended_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_link_hash` ON `console_sessions` (`link_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_hash` ON `console_sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `console_sessions_tenant` ON `console_sessions` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `console_sessions_expiry` ON `console_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `console_session_id` text;