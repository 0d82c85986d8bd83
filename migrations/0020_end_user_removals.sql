-- Removals of end users that have begun. A row stays until its removal is done.
CREATE TABLE `end_user_removals` (
	`tenant_id` text NOT NULL,
	`end_user_id` text NOT NULL,
	`requested_at` text NOT NULL,
	`chain` text NOT NULL,
	`due_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `end_user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `end_user_removals_due` ON `end_user_removals` (`due_at`);
