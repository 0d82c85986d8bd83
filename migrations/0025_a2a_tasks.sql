CREATE TABLE `a2a_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`session_id` text NOT NULL,
	`context_id` text NOT NULL,
	`end_user_id` text,
	`state` text NOT NULL,
	`status_at` text NOT NULL,
	`created_at` text NOT NULL,
	`entry` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `a2a_tasks_agent` ON `a2a_tasks` (`tenant_id`,`agent_id`,`status_at`,`id`);--> statement-breakpoint
CREATE INDEX `a2a_tasks_end_user` ON `a2a_tasks` (`tenant_id`,`end_user_id`,`agent_id`,`status_at`,`id`) WHERE "a2a_tasks"."end_user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `a2a_tasks_session` ON `a2a_tasks` (`tenant_id`,`session_id`);--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `a2a_tasks` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Written by the platform about what has happened: counted, and never refused. No task begins above the quota.
CREATE TRIGGER `a2a_tasks_counted` AFTER INSERT ON `a2a_tasks` BEGIN
  UPDATE `tenant_counts` SET `a2a_tasks` = `a2a_tasks` + 1, `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`context_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `a2a_tasks_uncounted` AFTER DELETE ON `a2a_tasks` BEGIN
  UPDATE `tenant_counts` SET `a2a_tasks` = max(`a2a_tasks` - 1, 0), `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`context_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
