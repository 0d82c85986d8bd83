CREATE TABLE `usage_end_users` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`end_user_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`model_name` text NOT NULL,
	`entries` integer NOT NULL,
	`replies` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_input_tokens` integer NOT NULL,
	`cache_creation_input_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	`unpriced` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `end_user_id`, `agent_id`, `model_name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `decisions` (
	`tenant_id` text NOT NULL,
	`decided_at` text NOT NULL,
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`position` integer NOT NULL,
	`reply_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`end_user_id` text,
	`tool_call_id` text NOT NULL,
	`tool_name` text NOT NULL,
	`behavior` text NOT NULL,
	`reason` text,
	`rule` text,
	`decider_kind` text NOT NULL,
	`decider_id` text,
	`is_edited` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `decided_at`, `session_id`, `seq`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `decisions_session` ON `decisions` (`tenant_id`,`session_id`,`decided_at`,`seq`,`position`);--> statement-breakpoint
CREATE TABLE `activity` (
	`slot` text NOT NULL,
	`kind` text NOT NULL,
	`error_type` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`slot`, `kind`, `error_type`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `usage` ADD `replies` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `end_user_id` text;--> statement-breakpoint
CREATE INDEX `tenants_suspended` ON `tenants` (`id`) WHERE "tenants"."status" = 'suspended';--> statement-breakpoint
CREATE TRIGGER `sessions_noted` AFTER INSERT ON `sessions` BEGIN
  INSERT INTO `activity` (`slot`, `kind`, `error_type`, `count`) VALUES (substr(NEW.`created_at`, 1, 15) || '0', 'session', '', 1)
    ON CONFLICT (`slot`, `kind`, `error_type`) DO UPDATE SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_end_users_emptied` AFTER UPDATE OF `entries` ON `usage_end_users` WHEN NEW.`entries` <= 0 BEGIN
  DELETE FROM `usage_end_users` WHERE `tenant_id` = NEW.`tenant_id` AND `day` = NEW.`day` AND `end_user_id` = NEW.`end_user_id`
    AND `agent_id` = NEW.`agent_id` AND `model_name` = NEW.`model_name`;
END;
